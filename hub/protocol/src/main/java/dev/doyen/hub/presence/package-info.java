/**
 * The package decides which members enter, update and leave, and when clients receive the events.
 *
 * <p>The package calls {@code claim}, {@code publish} and {@code channel}. Start reading at {@link
 * dev.doyen.hub.presence.Presence}.
 */
@NullMarked
package dev.doyen.hub.presence;

import org.jspecify.annotations.NullMarked;
