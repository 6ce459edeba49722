package dev.doyen.hub;

/** A connection's subscription to a channel. */
final class Attachment {

    final Connection connection;
    final Channel channel;
    /** The channel's name as the client spells it, qualifier included; frames to it say the same. */
    final String spelling;

    int modes;

    Attachment(Connection connection, Channel channel, String spelling, int modes) {
        this.connection = connection;
        this.channel = channel;
        this.spelling = spelling;
        this.modes = modes;
    }

    boolean has(int mode) {
        return (modes & mode) != 0;
    }
}
