package dev.doyen.stores.objects;

/** A service's answer to one conditional write. */
public sealed interface PutOutcome {

    /** The object is stored, and this is its new tag. */
    record Stored(String tag) implements PutOutcome {}

    /** This request did not write. An earlier copy of it may have: read, and look for its mark. */
    record Refused(String reason) implements PutOutcome {}

    /** It cannot be said whether the object was, or will yet be, written. */
    record Unknown(String reason) implements PutOutcome {}
}
