/**
 * The package runs the hub and the elector in one process. The package manages ports, event loops and the shutdown.
 *
 * <p>This package makes no decisions about leadership. The drivers in its subpackages read the clocks once per input.
 * Start reading at {@code HubServer}.
 */
@NullMarked
package dev.doyen.hub.server;

import org.jspecify.annotations.NullMarked;
