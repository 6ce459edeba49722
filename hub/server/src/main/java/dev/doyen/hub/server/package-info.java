/**
 * Runs the hub and the elector in one process: ports, event loops and shutdown.
 *
 * <p>This package decides nothing about leadership. The drivers in its subpackages read the clocks once per input.
 * Start with {@code HubServer}.
 */
@NullMarked
package dev.doyen.hub.server;

import org.jspecify.annotations.NullMarked;
