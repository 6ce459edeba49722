package dev.doyen.simulator.world;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * A store that satisfies docs/spec/lease.md. This store is linearizable and loses no confirmed write.
 *
 * <p>The store can be down, and returns stale records on request.
 */
public final class SimStore {

    /** The number of versions among which a stale read chooses. */
    private static final int KEPT = 4;

    private final Map<String, Deque<VersionedLease>> histories = new HashMap<>();
    private long revision;
    private boolean down;

    /** Returns the current record. */
    public VersionedLease read(String election) {
        Deque<VersionedLease> history = histories.get(election);
        return history == null ? VersionedLease.ABSENT : history.getLast();
    }

    /**
     * Returns a recent version of the record, chosen at random. While few versions exist, the result can also be
     * absent.
     */
    VersionedLease readStale(String election, SeededRandom random) {
        Deque<VersionedLease> history = histories.get(election);
        if (history == null || (history.size() < KEPT && random.chance(0.2))) {
            return VersionedLease.ABSENT;
        }
        Iterator<VersionedLease> all = history.iterator();
        VersionedLease found = all.next();
        for (int skip = random.below(history.size()); skip > 0; skip--) {
            found = all.next();
        }
        return found;
    }

    CasOutcome compareAndSet(LeaseVersion expected, LeaseRecord next) {
        VersionedLease current = read(next.election());
        if (!current.version().equals(expected)) {
            return new CasOutcome.Conflict(current);
        }
        Deque<VersionedLease> history = histories.computeIfAbsent(next.election(), e -> new ArrayDeque<>());
        var version = LeaseVersion.of(++revision);
        history.addLast(VersionedLease.of(version, next));
        if (history.size() > KEPT) {
            history.removeFirst();
        }
        return new CasOutcome.Written(version);
    }

    public boolean isDown() {
        return down;
    }

    /** Sets whether the store answers. A store that answers again contains all confirmed writes. */
    public void setDown(boolean isDown) {
        down = isDown;
    }
}
