package dev.doyen.simulator.sessions;

import dev.doyen.simulator.world.Agenda;
import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.Trace;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.ForwardingLeaseStore;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** A store that also returns recent older versions of its records, as a server that lags behind does. */
final class VersionHistory extends ForwardingLeaseStore {

    /** The number of versions among which a stale read chooses. */
    private static final int KEPT = 8;

    private final Agenda agenda;
    private final Trace trace;
    private final Map<String, Deque<VersionedLease>> histories = new HashMap<>();

    VersionHistory(LeaseStore behind, Agenda agenda, Trace trace) {
        super(behind);
        this.agenda = agenda;
        this.trace = trace;
    }

    @Override
    public VersionedLease read(String election) {
        return behind().read(election);
    }

    /**
     * Returns a recent version of the record, chosen at random. The result is absent before the first write, and can
     * also be absent while few versions exist.
     */
    VersionedLease readStale(String election, SeededRandom random) {
        Deque<VersionedLease> history = histories.get(election);
        if (history == null) {
            return VersionedLease.ABSENT;
        }
        Iterator<VersionedLease> all = history.iterator();
        VersionedLease found = all.next();
        for (int skip = random.below(history.size()); skip > 0; skip--) {
            found = all.next();
        }
        return found;
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        CasOutcome outcome = behind().compareAndSet(election, expected, next);
        if (outcome instanceof CasOutcome.Written written) {
            if (trace.isOn()) {
                trace.line(agenda.now(), "store", election + " " + text(written.version(), next));
            }
            remember(election, VersionedLease.of(written.version(), next));
        }
        return outcome;
    }

    /** Returns the record without its incarnation and its nonce, because both contain a random UUID. */
    private static String text(LeaseVersion version, LeaseRecord record) {
        return "v" + version.value() + " " + (record.isHeld() ? record.holder() : "nobody") + " term " + record.term();
    }

    private void remember(String election, VersionedLease written) {
        Deque<VersionedLease> history = histories.computeIfAbsent(election, name -> new ArrayDeque<>());
        if (history.isEmpty()) {
            history.add(VersionedLease.ABSENT);
        }
        history.addLast(written);
        if (history.size() > KEPT) {
            history.removeFirst();
        }
    }
}
