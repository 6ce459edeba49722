package dev.doyen.store;

import java.util.Optional;

/**
 * The record that a store holds for an election, with its version.
 *
 * @param record empty exactly if {@code version} is {@link LeaseVersion#ABSENT}
 * @param termFloor records that the store no longer shows may have used terms up to this one. A candidate that acquires
 *     the lease takes a higher term. 0 in a store whose records are never deleted or replaced by others
 */
public record VersionedLease(LeaseVersion version, Optional<LeaseRecord> record, long termFloor) {

    public static final VersionedLease ABSENT = absentAfter(0);

    public VersionedLease {
        if (version.isAbsent() != record.isEmpty()) {
            throw new IllegalArgumentException("a record and its version go together: " + version + ", " + record);
        }
        if (termFloor < 0) {
            throw new IllegalArgumentException("termFloor is " + termFloor + "; terms start at 1");
        }
    }

    public static VersionedLease of(LeaseVersion version, LeaseRecord record) {
        return new VersionedLease(version, Optional.of(record), 0);
    }

    /** Returns the absence of a record. Terms up to {@code termFloor} may have been used. */
    public static VersionedLease absentAfter(long termFloor) {
        return new VersionedLease(LeaseVersion.ABSENT, Optional.empty(), termFloor);
    }

    /** Returns the same lease with another term floor. */
    public VersionedLease withTermFloor(long floor) {
        return new VersionedLease(version, record, floor);
    }

    /** Returns the highest term that may have been used; 0 if none was. */
    public long highestTerm() {
        return Math.max(termFloor, record.map(LeaseRecord::term).orElse(0L));
    }
}
