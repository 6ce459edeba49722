/**
 * A membership over a channel of a hub that speaks Ably's protocol, so that elections without a store run among
 * processes and browsers. Enter by {@link dev.doyen.channel.ChannelMembership}. Rules H1 to H6 of docs/spec/ring.md are
 * decided in {@code RollCall}, which has no clock, thread or I/O.
 */
@NullMarked
package dev.doyen.channel;

import org.jspecify.annotations.NullMarked;
