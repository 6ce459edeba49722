package dev.doyen.store;

import java.util.Optional;

/**
 * The stored record of an election, with its version.
 *
 * @param record the record; empty if and only if {@code version} is {@link LeaseVersion#ABSENT}
 * @param termFloor a lower bound for the next term, because of deleted records. A candidate that acquires the lease
 *     chooses a term above the floor and above the term of {@code record}. The floor is 0 if the term of {@code record}
 *     is sufficient as a bound, or if the store never loses a record
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

    /** Returns the answer for a missing record. Terms up to {@code termFloor} count as used. */
    public static VersionedLease absentAfter(long termFloor) {
        return new VersionedLease(LeaseVersion.ABSENT, Optional.empty(), termFloor);
    }

    /** Returns the same lease with another term floor. */
    public VersionedLease withTermFloor(long floor) {
        return new VersionedLease(version, record, floor);
    }

    /** Returns the highest term that counts as used; 0 if no term was used. */
    public long highestTerm() {
        return Math.max(termFloor, record.map(LeaseRecord::term).orElse(0L));
    }
}
