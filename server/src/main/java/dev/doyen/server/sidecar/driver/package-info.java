/**
 * Carries out what the sidecar's machines decide: the candidate, the ports, the signs of the app, orders over HTTP.
 *
 * <p>Entry type: {@code Sidecar}.
 */
@NullMarked
package dev.doyen.server.sidecar.driver;

import org.jspecify.annotations.NullMarked;
