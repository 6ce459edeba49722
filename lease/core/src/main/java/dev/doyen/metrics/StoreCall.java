package dev.doyen.metrics;

import java.util.Optional;

/**
 * One measured call to a lease store. If a call contains several writes, each write counts as one call.
 *
 * @param outcome the outcome; one of the outcomes of the operation
 * @param isRenewal true if the holder renews its lease with this call
 * @param error the kind of the error; empty if the answer is usable
 * @param nanos the duration in nanoseconds
 */
public record StoreCall(
        StoreOperation operation, StoreOutcome outcome, boolean isRenewal, Optional<StoreErrorKind> error, long nanos) {

    /** Returns true if the store has given a usable answer. A conflict is a usable answer. */
    public boolean isAnswered() {
        return error.isEmpty();
    }
}
