package dev.doyen.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store has answered, but the stored record of an election cannot be read or parsed.
 *
 * <p>Other elections are not affected, so {@link LeaseStore#readAll} omits such a record.
 */
public final class UnreadableRecordException extends StoreUnavailableException {

    /**
     * Returns the exception for a file, an object or another place whose content is not a lease record.
     *
     * @param why the reason, which completes the sentence "WHERE is not a lease record: "
     */
    public static UnreadableRecordException notARecord(String where, String why, @Nullable Throwable cause) {
        return new UnreadableRecordException(
                where + " is not a lease record: " + why + "; move it away only if its term may be forgotten", cause);
    }

    public UnreadableRecordException(String message) {
        this(message, null);
    }

    public UnreadableRecordException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
