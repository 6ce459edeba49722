package dev.doyen.examples.sftp;

/**
 * A payment that was parsed from a row.
 *
 * @param account the account; empty if the row is invalid
 * @param fault the reason why the row cannot be booked; empty if the row is valid
 */
record Payment(String account, long cents, String fault) {

    /** Parses a row. An invalid row is stored with its fault, because it must not delay the other rows. */
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
