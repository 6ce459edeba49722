package dev.doyen.stores.local;

import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;

/**
 * The highest term and the highest revision of all records that a store has deleted.
 *
 * <p>A new record gets a higher revision and, if it has a holder, a higher term. Without the term, a term could be used
 * twice. Without the revision, a write that expects a deleted record could succeed over a new one.
 */
record DeletionFloor(long term, long revision) {

    static final DeletionFloor NONE = new DeletionFloor(0, 0);

    /** Returns a floor that is not below this floor or below the deleted record. */
    DeletionFloor raisedBy(VersionedLease deleted) {
        return raisedTo(new DeletionFloor(deleted.highestTerm(), revision(deleted.version())));
    }

    DeletionFloor raisedTo(DeletionFloor other) {
        return new DeletionFloor(Math.max(term, other.term), Math.max(revision, other.revision));
    }

    /** Returns the answer for a missing record. */
    VersionedLease absent() {
        return VersionedLease.absentAfter(term);
    }

    /**
     * Returns true if this record may be written where no record exists.
     *
     * <p>A candidate that read a lower floor, and was stopped since then, can offer a term that was already used. A
     * record without a holder begins no term, so it may have the term of the floor.
     */
    boolean permits(LeaseRecord first) {
        return first.isHeld() ? first.term() > term : first.term() >= term;
    }

    /** Returns the revision of a write over the version {@code expected}. */
    long revisionAfter(LeaseVersion expected) {
        return (expected.isAbsent() ? revision : revision(expected)) + 1;
    }

    private static long revision(LeaseVersion version) {
        return Long.parseLong(version.value());
    }
}
