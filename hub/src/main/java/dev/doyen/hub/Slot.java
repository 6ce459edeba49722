package dev.doyen.hub;

/**
 * A numbered place among those that a channel's members may claim: {@code leader/1}, {@code worker/3}.
 *
 * @param name what its holder does
 * @param number from 1 to as many as the channel's rule has of that name
 */
public record Slot(String name, int number) {

    /** What claims that name no slot claim. */
    public static final String LEADER_NAME = "leader";

    public static final Slot LEADER = new Slot(LEADER_NAME, 1);

    /**
     * The election behind this slot of a channel: the leader's is named like the channel, others as
     * {@code [worker]jobs}, {@code [worker/2]jobs}, which no channel can be named.
     */
    public String electionOn(String channel) {
        return equals(LEADER) ? channel : "[" + (number == 1 ? name : toString()) + "]" + channel;
    }

    /** The channel of an election that {@link #electionOn} named. */
    public static String channelOf(String election) {
        return election.startsWith("[") ? election.substring(election.indexOf(']') + 1) : election;
    }

    @Override
    public String toString() {
        return name + "/" + number;
    }
}
