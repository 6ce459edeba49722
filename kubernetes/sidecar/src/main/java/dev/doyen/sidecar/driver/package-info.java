/**
 * Carries out the decisions of the sidecar's machines.
 *
 * <p>It runs the candidate and the ports, observes the app, and handles admin commands over HTTP. Start with
 * {@code Sidecar}.
 */
@NullMarked
package dev.doyen.sidecar.driver;

import org.jspecify.annotations.NullMarked;
