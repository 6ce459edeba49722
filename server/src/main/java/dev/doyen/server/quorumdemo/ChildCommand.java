package dev.doyen.server.quorumdemo;

/**
 * One line that the process of a member reads from its standard input.
 *
 * @param number which the answer repeats
 * @param address of the member to add or to remove; empty for the other commands
 */
public record ChildCommand(long number, What what, String address) {

    /** What the process does. */
    public enum What {
        /** Loses all connections to the other members, and refuses new ones. */
        DISCONNECT,
        RECONNECT,
        /** Asks the quorum to take in the member of an address. */
        ADD,
        /** Asks the quorum to go on without the member of an address. */
        REMOVE
    }
}
