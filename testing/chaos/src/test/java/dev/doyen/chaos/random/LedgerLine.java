package dev.doyen.chaos.random;

import java.util.Optional;

/**
 * One line of a ledger.
 *
 * @param what the kind of the line
 * @param stamp CLOCK_MONOTONIC in nanoseconds, the same clock for all processes of the machine
 * @param election the name of the election without spaces; {@code -} if the line belongs to none
 * @param term the term of the leader that wrote the line; 0 if the line belongs to no election
 * @param value depends on the kind
 */
record LedgerLine(What what, long stamp, String election, long term, long value) {

    /** The kinds of lines. */
    enum What {
        /**
         * The process was certain to lead, both before and after it took the stamp.
         *
         * <p>The value is the number of such samples since the previous line.
         */
        CERTAIN,
        /**
         * The work of a term began.
         *
         * <p>The value is the count in the saved state that it received.
         */
        FOUND,
        /**
         * The store confirmed a save.
         *
         * <p>The value is the count that was saved.
         */
        SAVED,
        /**
         * The work of a term ignores its interrupt.
         *
         * <p>The value is the stamp until which it will.
         */
        HANGS,
        /**
         * The process could not run for a while.
         *
         * <p>The value is how long, in nanoseconds.
         */
        STALLED,
        /** The process, a member of a quorum, begins to lead the log. */
        LEADS_LOG
    }

    /** Formats the line for the ledger, with its line end. */
    String text() {
        return what + " " + stamp + " " + election + " " + term + " " + value + "\n";
    }

    /** Parses a line. Empty if it is incomplete, as the last line of a killed process may be. */
    static Optional<LedgerLine> of(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 5) {
            return Optional.empty();
        }
        return Optional.of(new LedgerLine(
                What.valueOf(parts[0]),
                Long.parseLong(parts[1]),
                parts[2],
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4])));
    }
}
