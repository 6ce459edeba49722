package dev.doyen.demo.quorum;

/**
 * A line that a member's process reads from its standard input.
 *
 * @param number the number of this command, which the answer repeats
 */
public record ChildCommand(long number, What what) {

    /** The task of the member's process. */
    public enum What {
        /** Drops all messages from and to the other members. */
        DISCONNECT,
        RECONNECT
    }
}
