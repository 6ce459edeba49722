/**
 * The package stores the messages and presence events of a channel, and assigns serials.
 *
 * <p>The package decides which entries a request for history returns. The package calls {@code rest} and {@code wire}.
 * Start reading at {@link dev.doyen.hub.history.History}.
 */
@NullMarked
package dev.doyen.hub.history;

import org.jspecify.annotations.NullMarked;
