package dev.doyen.hub.channel;

import org.jspecify.annotations.Nullable;

/** A connection's subscription to a channel. */
public final class Attachment {

    public final Connection connection;
    public final Channel channel;
    /** The channel's name as the client writes it, with the qualifier. Frames to the client use the same name. */
    public final String spelling;

    /** The modes that the client has requested. A later token can allow more of these modes than the current token. */
    public int requestedModes;

    public int modes;
    /** The occupancy metrics that the client receives; null if the client receives none. */
    @Nullable
    OccupancyWatch watch;

    /** The members that the client still has to receive; null if there are none. */
    @Nullable
    public PendingSync sync;

    public Attachment(Connection connection, Channel channel, String spelling, int requestedModes, int modes) {
        this.connection = connection;
        this.channel = channel;
        this.spelling = spelling;
        this.requestedModes = requestedModes;
        this.modes = modes;
    }

    public boolean has(int mode) {
        return (modes & mode) != 0;
    }
}
