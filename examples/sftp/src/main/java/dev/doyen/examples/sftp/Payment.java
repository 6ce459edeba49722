package dev.doyen.examples.sftp;

/**
 * A parsed row.
 *
 * @param account empty if the row is invalid
 * @param fault why the row cannot be booked; empty if it can
 */
record Payment(String account, long cents, String fault) {

    /** Parses a row. An invalid row is stored with its fault, because it must not delay the others. */
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
