package dev.doyen.hub.settings;

/**
 * A numbered slot of a channel, such as {@code leader/1} or {@code worker/3}.
 *
 * @param name the name of the slot in the channel's rule
 * @param number the number of the slot, from 1 to the maximum number of holders in the rule
 */
public record Slot(String name, int number) {

    /** The name of the slot to which a claim without a slot name applies. */
    public static final String LEADER_NAME = "leader";

    public static final Slot LEADER = new Slot(LEADER_NAME, 1);

    /**
     * Returns the name of the slot's election.
     *
     * <p>The election of {@link #LEADER} has the name of the channel. Other elections have names such as {@code
     * [worker]jobs} and {@code [worker/2]jobs}. No channel can have such a name.
     */
    public String electionOn(String channel) {
        return equals(LEADER) ? channel : "[" + (number == 1 ? name : toString()) + "]" + channel;
    }

    /** Returns the channel of an election name that {@link #electionOn} has returned. */
    public static String channelOf(String election) {
        return election.startsWith("[") ? election.substring(election.indexOf(']') + 1) : election;
    }

    @Override
    public String toString() {
        return name + "/" + number;
    }
}
