package dev.doyen.store;

/**
 * A store's answer to a write. There are three, and the third is never read as the second: a write whose answer got
 * lost may have been carried out, and may still be.
 */
public sealed interface CasOutcome {

    /** One method per answer, so that a case forgotten does not compile. */
    interface Cases {
        void written(Written outcome);

        void conflict(Conflict outcome);

        void unknown(Unknown outcome);
    }

    void accept(Cases cases);

    /** The record is stored, durably if the store promises that, under this new version. */
    record Written(LeaseVersion version) implements CasOutcome {
        @Override
        public void accept(Cases cases) {
            cases.written(this);
        }
    }

    /** Nothing was written: the store held another version than the expected one. This is what it holds. */
    record Conflict(VersionedLease current) implements CasOutcome {
        @Override
        public void accept(Cases cases) {
            cases.conflict(this);
        }
    }

    /** It cannot be said whether the record was, or will yet be, written. {@code reason} is a sentence for people. */
    record Unknown(String reason) implements CasOutcome {
        @Override
        public void accept(Cases cases) {
            cases.unknown(this);
        }
    }
}
