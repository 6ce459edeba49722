package dev.doyen.sidecar.driver;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A store that allows a takeover only after a full ttl without a failed call.
 *
 * <p>The sidecar uses this class in {@code Mode.NON_EXPIRING} if the leader can renew its lease in the store. After a
 * failure of the store, followers perhaps treat the lease as expired. Without this class, a follower could then replace
 * a running leader that has not yet renewed its lease after the failure. A full ttl is enough time for a renewal,
 * because a running leader renews every ttl/5. Safety does not depend on this class, because this class only rejects
 * writes. Threads: any.
 */
final class PatientTakeover extends ForwardingLeaseStore {

    private final Duration ttl;
    private final LongSupplier nanoClock;
    private final Map<String, LeaseRecord> seen = new ConcurrentHashMap<>();
    private volatile boolean answering;
    private volatile long answeringSince;

    PatientTakeover(LeaseStore store, Duration ttl, LongSupplier nanoClock) {
        super(store);
        this.ttl = ttl;
        this.nanoClock = nanoClock;
    }

    @Override
    public VersionedLease read(String election) {
        try {
            var found = behind().read(election);
            answered();
            found.record().ifPresent(record -> seen.put(election, record));
            return found;
        } catch (StoreUnavailableException e) {
            answering = false;
            throw e;
        }
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        var before = seen.get(election);
        if (before != null && isTakenBy(before, next) && !hasAnsweredForTtl()) {
            return new CasOutcome.Unknown("\"" + before.holder()
                    + "\" holds a non-expiring lease, and the store has not answered all calls for a whole ttl"
                    + " yet; this candidate waits, so that the holder can renew first");
        }
        var outcome = behind().compareAndSet(election, expected, next);
        if (outcome instanceof CasOutcome.Unknown) {
            answering = false;
        } else {
            answered();
        }
        if (outcome instanceof CasOutcome.Written) {
            seen.put(election, next);
        } else if (outcome instanceof CasOutcome.Conflict conflict) {
            conflict.current().record().ifPresent(record -> seen.put(election, record));
        }
        return outcome;
    }

    private static boolean isTakenBy(LeaseRecord before, LeaseRecord next) {
        return before.isHeld() && next.isHeld() && !before.incarnation().equals(next.incarnation());
    }

    private boolean hasAnsweredForTtl() {
        return answering && nanoClock.getAsLong() - answeringSince >= ttl.toNanos();
    }

    private void answered() {
        if (!answering) {
            answeringSince = nanoClock.getAsLong();
            answering = true;
        }
    }
}
