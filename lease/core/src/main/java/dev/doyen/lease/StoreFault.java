package dev.doyen.lease;

import dev.doyen.store.CasOutcome;
import java.util.Optional;

/**
 * The reason why the store has not answered a request, or why its answer could not be used.
 *
 * @param refused true if the store rejects such requests because this process lacks a right
 * @param reason the reason, as a sentence for people. If {@code refused} is true, it contains the missing right and the
 *     remedy
 */
public record StoreFault(boolean refused, String reason) {

    /** Returns the fault of a request that has thrown. */
    public static StoreFault of(Throwable thrown) {
        return of(CasOutcome.Unknown.of(thrown));
    }

    /** Returns the fault of a request that got no answer. */
    public static StoreFault away(String reason) {
        return new StoreFault(false, reason);
    }

    /**
     * Returns the fault that people must know first; empty if there is no fault.
     *
     * <p>A missing right comes before a missing answer, because the right stays missing after the store answers again.
     */
    static Optional<StoreFault> present(Optional<StoreFault> ofRead, Optional<StoreFault> ofWrite) {
        return ofRead.filter(StoreFault::refused)
                .or(() -> ofWrite.filter(StoreFault::refused))
                .or(() -> ofRead)
                .or(() -> ofWrite);
    }

    static StoreFault of(CasOutcome.Unknown outcome) {
        return new StoreFault(outcome.refused(), outcome.reason());
    }

    /** Returns the result of a write that failed with this fault. */
    public CasOutcome.Unknown ofWrite() {
        return new CasOutcome.Unknown(reason, refused);
    }

    /** Returns true if an operator must do the same about {@code other}, even if the text of the reason differs. */
    public boolean isLike(StoreFault other) {
        return refused == other.refused;
    }
}
