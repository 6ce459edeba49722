package dev.doyen.simulator.world;

import dev.doyen.event.SavedState;
import dev.doyen.health.Eligibility;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseMachine;
import dev.doyen.lease.RenewalMode;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The simulated processes, network and store of one run. */
public final class World {

    private final Agenda agenda = new Agenda();
    private final SimStore store = new SimStore();
    private final FencedResource resource = new FencedResource();
    private final List<SimProcess> processes = new ArrayList<>();
    private final List<String> elections;
    private final boolean watched;
    private final SeededRandom random;
    private final Network network;
    private final Witness witness;
    private final Trace trace;

    private boolean healed;
    private long controls;

    public World(List<String> elections, boolean watched, SeededRandom random, Witness witness, Trace trace) {
        this.elections = elections;
        this.watched = watched;
        this.random = random;
        this.network = new Network(this, agenda, random.split());
        this.witness = witness;
        this.trace = trace;
    }

    public Agenda agenda() {
        return agenda;
    }

    /** Returns the true time. */
    public long now() {
        return agenda.now();
    }

    public SimStore store() {
        return store;
    }

    public Network network() {
        return network;
    }

    public FencedResource resource() {
        return resource;
    }

    public List<SimProcess> processes() {
        return processes;
    }

    public List<String> elections() {
        return elections;
    }

    public SeededRandom random() {
        return random;
    }

    /**
     * Returns true if the faults have ended. After that, no work resigns, and all work stops soon after the loss of its
     * term.
     */
    public boolean isHealed() {
        return healed;
    }

    /** Ends all faults. All processes then run and campaign. */
    public void heal() {
        trace("world", "---- all faults are removed");
        healed = true;
        network.calm();
        store.setDown(false);
        for (String election : elections) {
            overwrite(election, record -> record.noting(record.notes().withPause(Optional.empty()), controlNonce()));
        }
        for (SimProcess process : processes) {
            process.start();
            process.recover();
            for (SimCandidate candidate : List.copyOf(process.candidates())) {
                candidate.work().ifPresent(Work::stopHanging);
                candidate.judge(Eligibility.FIT);
                if (candidate.hasEnded()) {
                    process.rejoin(candidate);
                } else {
                    candidate.campaign();
                }
            }
        }
    }

    public boolean isTraced() {
        return trace.isOn();
    }

    public void trace(String who, String what) {
        trace.line(now(), who, what);
    }

    Witness witness() {
        return witness;
    }

    SimCandidate candidate(SimProcess process, String election, String incarnation) {
        var machine = new LeaseMachine(
                election, process.timing(), RenewalMode.RENEWS_LEASE, process.priority(), watched, random.next());
        return new SimCandidate(this, process, election, new Identity(process.id(), incarnation), machine);
    }

    Work work(SimCandidate candidate, long term, SavedState received) {
        return new Work(candidate, agenda, random.split(), term, received);
    }

    void acted(SimCandidate candidate, long term) {
        // Only the first election has a resource, which suffices to count the acts that a fence rejects.
        if (candidate.election().equals(elections.get(0))) {
            resource.act(term);
        }
        witness.acted(candidate, term);
    }

    CasOutcome compareAndSet(SimCandidate by, LeaseEffect.Write write, long sentAt) {
        VersionedLease before = store.read(by.election());
        CasOutcome outcome = store.compareAndSet(write.expected(), write.next());
        if (outcome instanceof CasOutcome.Written) {
            VersionedLease after = store.read(by.election());
            if (trace.isOn()) {
                trace("store", "   " + by + " writes " + TraceText.of(after));
            }
            witness.committed(by, before, after, sentAt);
            if (watched) {
                announce(by.election());
            }
        }
        return outcome;
    }

    /**
     * Writes into a record by compare-and-set, for a party that is not a candidate. Does nothing if no record exists or
     * the store is down.
     */
    public void overwrite(String election, UnaryOperator<LeaseRecord> change) {
        VersionedLease before = store.read(election);
        if (before.record().isEmpty() || store.isDown()) {
            return;
        }
        store.compareAndSet(before.version(), change.apply(before.record().get()));
        VersionedLease after = store.read(election);
        if (trace.isOn()) {
            trace(
                    "store",
                    "   another party writes " + TraceText.of(after) + " "
                            + after.record().get().notes());
        }
        witness.overwritten(election, before, after);
        if (watched) {
            announce(election);
        }
    }

    /** Returns a unique nonce for a write by a party that is not a candidate. */
    public String controlNonce() {
        return "control." + ++controls;
    }

    private void announce(String election) {
        for (SimProcess process : processes) {
            for (SimCandidate candidate : process.candidates()) {
                if (candidate.election().equals(election)) {
                    network.notice(candidate);
                }
            }
        }
    }
}
