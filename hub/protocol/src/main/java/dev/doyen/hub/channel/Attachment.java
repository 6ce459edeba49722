package dev.doyen.hub.channel;

import org.jspecify.annotations.Nullable;

/** A connection's subscription to a channel. */
public final class Attachment {

    public final Connection connection;
    public final Channel channel;
    /** The channel's name as the client writes it, with the qualifier. Frames to the client use the same spelling. */
    public final String spelling;

    /** The modes that the client has asked for. A later token may allow more of them than the current one. */
    public int asked;

    public int modes;
    /** The occupancy numbers that the client receives; null if none. */
    @Nullable
    OccupancyWatch watch;

    public Attachment(Connection connection, Channel channel, String spelling, int asked, int modes) {
        this.connection = connection;
        this.channel = channel;
        this.spelling = spelling;
        this.asked = asked;
        this.modes = modes;
    }

    public boolean has(int mode) {
        return (modes & mode) != 0;
    }
}
