package dev.doyen.demo.quorum;

/**
 * A line that a member's process reads from its standard input.
 *
 * @param number the number of this command, which the answer repeats
 */
public record ChildCommand(long number, What what) {

    /** The change that the member's process makes to its connections. */
    public enum What {
        /** Drops all messages from and to the other members. */
        DISCONNECT,
        RECONNECT
    }
}
