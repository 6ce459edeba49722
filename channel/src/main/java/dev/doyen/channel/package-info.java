/**
 * A membership over a channel of a hub that speaks Ably's protocol, so that elections without a store run among
 * processes and browsers. Enter by {@link dev.doyen.channel.ChannelMembership}; what it decides is in {@code roll}.
 */
@NullMarked
package dev.doyen.channel;

import org.jspecify.annotations.NullMarked;
