package dev.doyen.stores.objects;

/** A service's answer to one conditional write. */
public sealed interface PutOutcome {

    /** The object is stored and has this new tag. */
    record Stored(String tag) implements PutOutcome {}

    /** This request wrote nothing. An earlier copy of it may have: read the object and compare its mark. */
    record Refused(String reason) implements PutOutcome {}

    /** The write may have happened, or may still happen. */
    record Unknown(String reason) implements PutOutcome {}
}
