package dev.doyen.hub;

import org.jspecify.annotations.Nullable;

/** A connection's subscription to a channel. */
final class Attachment {

    final Connection connection;
    final Channel channel;
    /** The channel's name as the client spells it, qualifier included; frames to it say the same. */
    final String spelling;

    /** The modes its client wants, allowed or not: a later token may allow more of them. */
    int asked;

    int modes;
    /** Which of the channel's numbers it is told; null if none. */
    @Nullable
    OccupancyWatch watch;

    Attachment(Connection connection, Channel channel, String spelling, int asked, int modes) {
        this.connection = connection;
        this.channel = channel;
        this.spelling = spelling;
        this.asked = asked;
        this.modes = modes;
    }

    boolean has(int mode) {
        return (modes & mode) != 0;
    }
}
