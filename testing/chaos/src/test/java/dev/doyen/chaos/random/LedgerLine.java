package dev.doyen.chaos.random;

import java.util.Optional;

/**
 * One line of a ledger.
 *
 * @param what the kind of line
 * @param stamp the time by {@link System#nanoTime}, which is the same clock in all processes of a Linux machine
 * @param election the name of the election, without spaces; {@code -} if the line belongs to no election
 * @param term the term of the leader that wrote the line; 0 if the line belongs to no election
 * @param value a number whose meaning depends on {@code what}
 */
record LedgerLine(What what, long stamp, String election, long term, long value) {

    /** The kinds of lines. */
    enum What {
        /**
         * The process was certain that it led, both before and after it read the stamp.
         *
         * <p>The value is the number of such samples since the previous line of this kind.
         */
        CERTAIN,
        /**
         * The work of a term began.
         *
         * <p>The value is the count in the saved state that the work received.
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
         * <p>The value is the stamp until which the work ignores the interrupt.
         */
        HANGS,
        /**
         * The process could not run for a while.
         *
         * <p>The value is the duration in nanoseconds.
         */
        STALLED,
        /** The process is a member of a quorum and begins to lead the log. */
        LEADS_LOG
    }

    /** Formats the line for the ledger, with its line end. */
    String text() {
        return what + " " + stamp + " " + election + " " + term + " " + value + "\n";
    }

    /** Parses a line. The result is empty if the line is incomplete, such as the last line of a killed process. */
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
