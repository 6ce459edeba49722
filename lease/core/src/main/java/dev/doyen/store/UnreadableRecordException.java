package dev.doyen.store;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store has answered, but the stored record of an election cannot be read or parsed.
 *
 * <p>Other elections are not affected, so {@link LeaseStore#readAll} omits such a record.
 */
public final class UnreadableRecordException extends StoreUnavailableException {

    public UnreadableRecordException(String message) {
        this(message, null);
    }

    public UnreadableRecordException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
