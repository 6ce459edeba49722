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

/** A store as docs/spec/lease.md assumes it: linearizable, and it does not forget. Down at times, and stale on demand. */
public final class SimStore {

    /** So many versions back a stale read may reach. */
    private static final int KEPT = 4;

    private final Map<String, Deque<VersionedLease>> histories = new HashMap<>();
    private long revision;
    private boolean down;

    /** What is stored, and nothing else is. */
    public VersionedLease read(String election) {
        Deque<VersionedLease> history = histories.get(election);
        return history == null ? VersionedLease.ABSENT : history.getLast();
    }

    /** What was stored at some time not long ago. */
    VersionedLease readStale(String election, Dice dice) {
        Deque<VersionedLease> history = histories.get(election);
        if (history == null || (history.size() < KEPT && dice.chance(0.2))) {
            return VersionedLease.ABSENT;
        }
        Iterator<VersionedLease> all = history.iterator();
        VersionedLease found = all.next();
        for (int skip = dice.below(history.size()); skip > 0; skip--) {
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

    /** Stops answering, or answers again, with all it ever confirmed. */
    public void setDown(boolean isDown) {
        down = isDown;
    }
}
