package dev.doyen.server.quorumdemo;

/**
 * One line that the process of a member reads from its standard input.
 *
 * @param number which the answer repeats
 */
public record ChildCommand(long number, What what) {

    /** The task of the process. */
    public enum What {
        /** Drops all messages from and to the other members. */
        DISCONNECT,
        RECONNECT
    }
}
