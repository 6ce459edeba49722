/**
 * The state of channels, members and connections, and the changes of that state.
 *
 * <p>It contains the data that the rules in the other packages read and change. It calls {@code step}, {@code
 * history} and {@code wire}. Start reading at {@link dev.doyen.hub.channel.Channel}.
 */
@NullMarked
package dev.doyen.hub.channel;

import org.jspecify.annotations.NullMarked;
