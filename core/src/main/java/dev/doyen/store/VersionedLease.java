package dev.doyen.store;

import java.util.Optional;

/**
 * What a store holds for an election.
 *
 * @param record empty exactly if {@code version} is {@link LeaseVersion#ABSENT}
 */
public record VersionedLease(LeaseVersion version, Optional<LeaseRecord> record) {

    public static final VersionedLease ABSENT = new VersionedLease(LeaseVersion.ABSENT, Optional.empty());

    public VersionedLease {
        if (version.isAbsent() != record.isEmpty()) {
            throw new IllegalArgumentException("a record and its version go together: " + version + ", " + record);
        }
    }

    public static VersionedLease of(LeaseVersion version, LeaseRecord record) {
        return new VersionedLease(version, Optional.of(record));
    }
}
