package dev.doyen.server.operator;

import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.util.Optional;

/**
 * What one look into the store showed of an election.
 *
 * @param session the record of the session that the lease is held under (rule L12); empty if it is held under none
 */
public record Look(VersionedLease lease, Optional<VersionedLease> session) {

    /** The record of the election, if it has one. */
    public Optional<LeaseRecord> record() {
        return lease.record();
    }
}
