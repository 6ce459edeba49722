/**
 * The package contains the limits and the channel rules of a hub.
 *
 * <p>The package makes no decisions. The package calls {@code auth} and {@code wire}. Start reading at {@link
 * dev.doyen.hub.settings.HubSettings}.
 */
@NullMarked
package dev.doyen.hub.settings;

import org.jspecify.annotations.NullMarked;
