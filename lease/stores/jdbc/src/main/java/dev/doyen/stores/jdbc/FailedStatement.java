package dev.doyen.stores.jdbc;

import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.sql.SQLException;

/** Converts a failed statement to an exception that names the missing right, if the database rejects the statement. */
final class FailedStatement {

    private final Dialect dialect;
    private final String table;
    private final DriverFaults faults;

    FailedStatement(Dialect dialect, String table, DriverFaults faults) {
        this.dialect = dialect;
        this.table = table;
        this.faults = faults;
    }

    /** @param what the beginning of the sentence, such as {@code the lease of "orders" cannot be read} */
    StoreUnavailableException exception(String what, SQLException fault) {
        String sentence = what + ": " + faults.describe(fault);
        return dialect.refuses(fault)
                ? new StoreRefusedException(sentence, remedy(fault), null)
                : new StoreUnavailableException(sentence);
    }

    /** Converts the fault of a write. A rejected statement has written nothing. */
    StoreUnavailableException ofWrite(String election, SQLException fault) {
        return exception(
                dialect.refuses(fault)
                        ? "the lease of \"" + election + "\" cannot be written to " + dialect.product()
                        : unknown(election),
                fault);
    }

    /** Returns the beginning of the sentence about a write without an answer. */
    String unknown(String election) {
        return "it is unknown whether the lease of \"" + election + "\" was written to " + dialect.product();
    }

    String describe(SQLException fault) {
        return faults.describe(fault);
    }

    private String remedy(SQLException fault) {
        return Dialect.isInClass(fault, Dialect.INVALID_AUTHORIZATION)
                ? "check the user and the password, and let this user connect to the database"
                : "grant SELECT, INSERT and UPDATE on the table " + table + " to this user, or create the table: "
                        + dialect.leaseTable(table);
    }
}
