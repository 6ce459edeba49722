package dev.doyen.examples.sftp;

/**
 * A row, read.
 *
 * @param account empty if the row has a fault
 * @param fault why the row cannot be booked, a sentence; empty if it can
 */
record Payment(String account, long cents, String fault) {

    /** A bad row is kept with its fault: one of a million must not hold up the rest. */
    static Payment parse(String row) {
        int comma = row.indexOf(',');
        if (comma < 1) {
            return bad("no account and comma before the amount: \"" + row + "\"");
        }
        try {
            return new Payment(row.substring(0, comma), Long.parseLong(row.substring(comma + 1)), "");
        } catch (NumberFormatException e) {
            return bad("the amount is not a whole number of cents: \"" + row + "\"");
        }
    }

    private static Payment bad(String fault) {
        return new Payment("", 0, fault);
    }
}
