/**
 * Carries out the decisions of the sidecar's machines.
 *
 * <p>The package runs the candidate, listens on the HTTP ports, observes the app, and handles admin commands. Start
 * with {@code Sidecar}.
 */
@NullMarked
package dev.doyen.sidecar.driver;

import org.jspecify.annotations.NullMarked;
