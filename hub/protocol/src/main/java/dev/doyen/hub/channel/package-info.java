/**
 * The package contains the channels, members and connections, and the changes of their state.
 *
 * <p>The rules in the other packages read and change this state. The package calls {@code step}, {@code history} and
 * {@code wire}. Start reading at {@link dev.doyen.hub.channel.Channel}.
 */
@NullMarked
package dev.doyen.hub.channel;

import org.jspecify.annotations.NullMarked;
