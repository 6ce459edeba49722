package dev.doyen.stores.objects;

/** The outcome of one conditional write. */
public sealed interface PutOutcome {

    /** The outcome of a successful write: the object is stored and has this new tag. */
    record Stored(String tag) implements PutOutcome {}

    /**
     * The outcome of a refused write, which changed nothing. A proxy can send a write twice, so an earlier copy of this
     * write has possibly succeeded. To find out, read the object and check whether it contains this write.
     */
    record Refused(String reason) implements PutOutcome {}

    /**
     * The outcome of a write that has possibly happened, or can still happen.
     *
     * @param lacksRight true if the service rejects such writes because a right is missing. The reason then contains
     *     the missing right and the remedy
     */
    record Unknown(String reason, boolean lacksRight) implements PutOutcome {

        /** Creates an unknown outcome that has nothing to do with rights. */
        public Unknown(String reason) {
            this(reason, false);
        }
    }
}
