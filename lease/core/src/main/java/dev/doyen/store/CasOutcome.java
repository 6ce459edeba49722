package dev.doyen.store;

/**
 * The result of a compare-and-set: written, conflict or unknown.
 *
 * <p>Never treat unknown as a conflict. A write whose answer was lost may have been carried out, and may still be.
 */
public sealed interface CasOutcome {

    /** One method per result, so that a missing case does not compile. */
    interface Cases {
        void written(Written outcome);

        void conflict(Conflict outcome);

        void unknown(Unknown outcome);
    }

    void accept(Cases cases);

    /** The store has written the record under this new version, durably if it promises that. */
    record Written(LeaseVersion version) implements CasOutcome {
        @Override
        public void accept(Cases cases) {
            cases.written(this);
        }
    }

    /**
     * The store has written nothing, because it held another version than expected.
     *
     * @param current what the store holds
     */
    record Conflict(VersionedLease current) implements CasOutcome {
        @Override
        public void accept(Cases cases) {
            cases.conflict(this);
        }
    }

    /**
     * The store may have written the record, or may still write it.
     *
     * @param reason a sentence for people
     */
    record Unknown(String reason) implements CasOutcome {
        @Override
        public void accept(Cases cases) {
            cases.unknown(this);
        }
    }
}
