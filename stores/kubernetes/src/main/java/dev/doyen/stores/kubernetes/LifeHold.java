package dev.doyen.stores.kubernetes;

import dev.doyen.event.HandOverState;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.Optional;

/**
 * What one process says of the Lease that belongs to its own Pod, and that it can neither renew nor give back (rule K8). That
 * Lease stands still; whether its holder leads under it, and in which term, is known here only. Immutable.
 *
 * @param held what the own candidate last wrote, as far as it knows; empty if it does not want the lease, or not yet
 * @param changes counts, so that each change has a version of its own
 */
record LifeHold(Optional<LeaseRecord> held, long changes) {

    static final LifeHold NONE = new LifeHold(Optional.empty(), 0);

    private static final String OWN = "/own-";

    LifeHold taken(LeaseRecord record) {
        return new LifeHold(Optional.of(record), changes + 1);
    }

    LifeHold dropped() {
        return new LifeHold(Optional.empty(), changes + 1);
    }

    /** The version of the own Pod's Lease at this resource version, as of the last change. */
    LeaseVersion version(String resourceVersion) {
        return new LeaseVersion(resourceVersion + OWN + changes);
    }

    /** Of a version made here. */
    static String resourceVersion(LeaseVersion version) {
        String text = version.value();
        int own = text.indexOf(OWN);
        return own < 0 ? text : text.substring(0, own);
    }

    /**
     * The own Pod's Lease: held by what this process wrote, or else by nobody. It may name this Pod since before a restart,
     * and would for ever: so it is there to be taken again.
     */
    VersionedLease shown(VersionedLease found) {
        LeaseRecord record = found.record().orElseThrow();
        LeaseRecord told = held.map(own -> with(own, own.holder(), own.incarnation(), record))
                .orElseGet(() -> with(record, "", "", record));
        return new VersionedLease(version(found.version().value()), Optional.of(told), found.termFloor());
    }

    /**
     * Whether a term may begin without a write: if the cluster has counted beyond it already, whoever comes after has a
     * higher one (docs/spec/kubernetes-lease.md, why terms survive).
     *
     * @param revision up to which the Lease was seen to stand
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
                holder.isEmpty() ? HandOverState.EMPTY : of.state(),
                of.stateVersion(),
                Optional.empty(),
                noted.notes());
    }

    /** As it is written into the Lease. */
    static LeaseRecord forLife(LeaseRecord next) {
        return new LeaseRecord(
                next.election(),
                next.holder(),
                next.incarnation(),
                next.term(),
                next.nonce(),
                LeaseRecord.FOR_LIFE,
                next.acquiredAt(),
                next.renewedAt(),
                next.state(),
                next.stateVersion(),
                Optional.empty(),
                next.notes());
    }
}
