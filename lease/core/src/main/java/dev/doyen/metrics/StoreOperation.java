package dev.doyen.metrics;

import java.util.List;
import java.util.Locale;

/** An operation of a lease store, as the label {@code operation} names it. */
public enum StoreOperation {
    READ,
    COMPARE_AND_SET;

    private static final List<StoreOutcome> READS = List.of(StoreOutcome.ANSWERED, StoreOutcome.FAILED);
    private static final List<StoreOutcome> WRITES =
            List.of(StoreOutcome.WRITTEN, StoreOutcome.CONFLICT, StoreOutcome.UNKNOWN, StoreOutcome.FAILED);

    /** Returns the possible outcomes of this operation. */
    public List<StoreOutcome> outcomes() {
        return this == READ ? READS : WRITES;
    }

    /** Returns the value of the label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
