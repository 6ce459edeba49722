package dev.doyen.server.operator;

import dev.doyen.store.Epoch;
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

    boolean isHeld() {
        return record().filter(LeaseRecord::isHeld).isPresent() && !isSessionOver();
    }

    /** The record whose renewals are the holder's signs of life. */
    Optional<LeaseRecord> renewed() {
        return session.isPresent() ? session.flatMap(VersionedLease::record) : record();
    }

    /** True if what was held under the session is free for good (rule L12, 2). */
    private boolean isSessionOver() {
        var epoch = record().flatMap(LeaseRecord::epoch).map(Epoch::term);
        var seen = session.flatMap(VersionedLease::record);
        return epoch.isPresent()
                && seen.isPresent()
                && (seen.get().term() > epoch.get()
                        || (seen.get().term() == epoch.get() && !seen.get().isHeld()));
    }
}
