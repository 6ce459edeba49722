package dev.doyen.store;

/**
 * The result of a compare-and-set: written, conflict or unknown.
 *
 * <p>Never treat unknown as a conflict. After a lost answer, the store has possibly carried out the write, or can still
 * carry it out.
 */
public sealed interface CasOutcome {

    /** A visitor with one method for each result. The compiler finds a missing case. */
    interface Cases {
        void written(Written outcome);

        void conflict(Conflict outcome);

        void unknown(Unknown outcome);
    }

    void accept(Cases cases);

    /**
     * The store has written the record under this new version. The write is durable if the store promises durable
     * terms.
     */
    record Written(LeaseVersion version) implements CasOutcome {
        @Override
        public void accept(Cases cases) {
            cases.written(this);
        }
    }

    /**
     * The store has written nothing, because its record does not have the expected version.
     *
     * <p>After {@link LeaseStore#prune} has deleted the record, a write that begins a term also conflicts if the term
     * is not above {@link VersionedLease#termFloor}.
     *
     * @param current the stored record and its version
     */
    record Conflict(VersionedLease current) implements CasOutcome {
        @Override
        public void accept(Cases cases) {
            cases.conflict(this);
        }
    }

    /**
     * It is unknown whether the store has written the record or will still write it.
     *
     * @param reason the reason, as a sentence for people
     * @param refused true if the store rejects such writes of this process because a right is missing, as with {@link
     *     StoreRefusedException}. The reason then contains the missing right and the remedy. Even such a write has
     *     possibly been carried out
     */
    record Unknown(String reason, boolean refused) implements CasOutcome {

        /** Creates an unknown outcome that has nothing to do with rights. */
        public Unknown(String reason) {
            this(reason, false);
        }

        /**
         * Returns the outcome of a write that has thrown.
         *
         * <p>The reason of an exception that no store should throw contains only the name of its class. Processes
         * publish the reason by HTTP, and the message of such an exception can contain credentials.
         */
        public static Unknown of(Throwable thrown) {
            String reason = thrown instanceof StoreUnavailableException ? thrown.getMessage() : null;
            return new Unknown(
                    reason == null ? thrown.getClass().getName() : reason, thrown instanceof StoreRefusedException);
        }

        @Override
        public void accept(Cases cases) {
            cases.unknown(this);
        }
    }
}
