/**
 * Decides which members enter, update and leave, and when the others receive the events.
 *
 * <p>It calls {@code claim}, {@code publish} and {@code channel}. Start reading at {@link
 * dev.doyen.hub.presence.Presence}.
 */
@NullMarked
package dev.doyen.hub.presence;

import org.jspecify.annotations.NullMarked;
