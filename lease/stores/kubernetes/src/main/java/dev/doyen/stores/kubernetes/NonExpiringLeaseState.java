package dev.doyen.stores.kubernetes;

import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.Optional;

/**
 * What this process knows about the non-expiring Lease of its own Pod (rule K8). Immutable.
 *
 * <p>The process can neither renew nor release that Lease, so the object does not change. Only the process knows
 * whether it leads under the Lease, and in which term.
 *
 * @param held what this process's candidate last wrote. Empty if the candidate does not hold the lease
 * @param changes counts the changes, so that each has its own version
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

    /** Returns the version of this Pod's Lease at this resource version, after the last change. */
    LeaseVersion version(String resourceVersion) {
        return new LeaseVersion(resourceVersion + OWN + changes);
    }

    /** Returns the resource version in a version of this class. */
    static String resourceVersion(LeaseVersion version) {
        String text = version.value();
        int own = text.indexOf(OWN);
        return own < 0 ? text : text.substring(0, own);
    }

    /**
     * Returns this Pod's Lease: held as this process last wrote it, or else free.
     *
     * <p>After a restart the Lease may still name this Pod, and nobody would ever release it. So it is reported as
     * free, and the process can acquire it again.
     */
    VersionedLease shown(VersionedLease found) {
        LeaseRecord record = found.record().orElseThrow();
        LeaseRecord shown = held.map(own -> with(own, own.holder(), own.incarnation(), record))
                .orElseGet(() -> with(record, "", "", record));
        return new VersionedLease(version(found.version().value()), Optional.of(shown), found.termFloor());
    }

    /**
     * Returns whether a term may begin without a write.
     *
     * <p>It may if the cluster's resource version has reached the term, because any later term is then higher. The
     * proof is in docs/spec/kubernetes-lease.md, "Why terms survive a deletion".
     *
     * @param revision the newest resource version at which the Lease was seen
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

    /** Converts a record to the non-expiring form in which it is written into the Lease. */
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
