package dev.doyen.cli.operator;

import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.util.Optional;

/**
 * The result of one read of an election.
 *
 * @param session the record of the session that holds the lease (rule L12); empty if the lease has no session
 */
public record ElectionSnapshot(VersionedLease lease, Optional<VersionedLease> session) {

    /** Returns the record of the election; empty if there is none. */
    public Optional<LeaseRecord> record() {
        return lease.record();
    }
}
