package dev.doyen.stores.kubernetes;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.Optional;

/**
 * The local state of the non-expiring Lease that this process's Pod owns (rule K8). The state is immutable.
 *
 * <p>The process may not update this Lease object, so the object does not show what the process does after it has
 * created the object. Only this local state shows whether the process leads, and in which term.
 *
 * @param held the last record that this process's candidate wrote. The record is empty if the candidate does not hold
 *     the lease
 * @param changes the number of changes so far, so that each state has its own version
 */
record NonExpiringLeaseState(Optional<LeaseRecord> held, long changes) {

    static final NonExpiringLeaseState NONE = new NonExpiringLeaseState(Optional.empty(), 0);

    private static final String OWN = "/own-";

    NonExpiringLeaseState taken(LeaseRecord record) {
        return new NonExpiringLeaseState(Optional.of(record), changes + 1);
    }

    NonExpiringLeaseState dropped() {
        return new NonExpiringLeaseState(Optional.empty(), changes + 1);
    }

    /**
     * Returns the version that a read reports for this Pod's Lease. The version consists of the resource version and
     * the number of changes.
     */
    LeaseVersion version(String resourceVersion) {
        return new LeaseVersion(resourceVersion + OWN + changes);
    }

    /** Extracts the resource version from a version that {@link #version} has returned. */
    static String resourceVersion(LeaseVersion version) {
        String text = version.value();
        int own = text.indexOf(OWN);
        return own < 0 ? text : text.substring(0, own);
    }

    /**
     * Returns this Pod's Lease as this process last wrote it. If the process does not hold the lease, the method
     * reports the lease as free.
     *
     * <p>After a restart of the process, the Lease still contains this Pod as its holder, because the process has no
     * right to update the Lease. The method then reports the lease as free, so the process can acquire it again.
     */
    VersionedLease shown(VersionedLease found) {
        LeaseRecord record = found.record().orElseThrow();
        LeaseRecord shown = held.map(own -> with(own, own.holder(), own.incarnation(), record))
                .orElseGet(() -> with(record, "", "", record));
        return new VersionedLease(version(found.version().value()), Optional.of(shown), found.termFloor());
    }

    /**
     * Returns true if a term may begin without a write.
     *
     * <p>The term may begin if it is at most the newest resource version. Every later term is then greater than this
     * term. The proof is in docs/spec/kubernetes-lease.md, "Why terms survive a deletion".
     *
     * @param revision the newest resource version at which the Lease was read
     */
    static boolean mayBegin(LeaseRecord next, long revision) {
        return next.term() <= revision;
    }

    private static LeaseRecord with(LeaseRecord of, String holder, String incarnation, LeaseRecord noted) {
        return new LeaseRecord(
                of.election(),
                holder,
                incarnation,
                of.term(),
                of.nonce(),
                of.ttl(),
                of.acquiredAt(),
                of.renewedAt(),
                holder.isEmpty() ? SavedState.EMPTY : of.state(),
                of.stateVersion(),
                Optional.empty(),
                noted.notes());
    }

    /** Returns the record with the non-expiring ttl and without an epoch. */
    static LeaseRecord nonExpiring(LeaseRecord next) {
        return new LeaseRecord(
                next.election(),
                next.holder(),
                next.incarnation(),
                next.term(),
                next.nonce(),
                LeaseRecord.NON_EXPIRING_TTL,
                next.acquiredAt(),
                next.renewedAt(),
                next.state(),
                next.stateVersion(),
                Optional.empty(),
                next.notes());
    }
}
