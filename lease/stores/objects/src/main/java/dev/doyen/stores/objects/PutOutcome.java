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

    /** The outcome of a write that has possibly happened, or can still happen. */
    record Unknown(String reason) implements PutOutcome {}
}
