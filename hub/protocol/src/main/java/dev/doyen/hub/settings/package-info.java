/**
 * The limits and the channel rules of a hub.
 *
 * <p>It decides nothing. It calls no other package of the hub. Start reading at {@link
 * dev.doyen.hub.settings.HubSettings}.
 */
@NullMarked
package dev.doyen.hub.settings;

import org.jspecify.annotations.NullMarked;
