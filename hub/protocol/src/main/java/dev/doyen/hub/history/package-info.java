/**
 * Keeps the past messages and presence events of a channel, and gives each message its serial.
 *
 * <p>It decides which entries a request for history gets. It calls {@code rest} and {@code wire}. Start reading at
 * {@link dev.doyen.hub.history.History}.
 */
@NullMarked
package dev.doyen.hub.history;

import org.jspecify.annotations.NullMarked;
