package dev.doyen.hub.settings;

/**
 * A numbered slot of a channel, which a member may claim: {@code leader/1}, {@code worker/3}.
 *
 * @param name the name of the slot in the channel's rule
 * @param number from 1 to the maximum number of holders in the rule
 */
public record Slot(String name, int number) {

    /** The slot of claims that name none. */
    public static final String LEADER_NAME = "leader";

    public static final Slot LEADER = new Slot(LEADER_NAME, 1);

    /**
     * Returns the name of the slot's election.
     *
     * <p>The election of {@link #LEADER} has the name of the channel. Others have names such as {@code [worker]jobs}
     * and {@code [worker/2]jobs}, which no channel can have.
     */
    public String electionOn(String channel) {
        return equals(LEADER) ? channel : "[" + (number == 1 ? name : toString()) + "]" + channel;
    }

    /** Returns the channel of an election that {@link #electionOn} has named. */
    public static String channelOf(String election) {
        return election.startsWith("[") ? election.substring(election.indexOf(']') + 1) : election;
    }

    @Override
    public String toString() {
        return name + "/" + number;
    }
}
