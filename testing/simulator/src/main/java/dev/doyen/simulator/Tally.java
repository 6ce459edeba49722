package dev.doyen.simulator;

import dev.doyen.event.ElectionEvent;
import dev.doyen.lease.LeaseInput;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Witness;
import dev.doyen.simulator.world.World;
import dev.doyen.store.VersionedLease;

/**
 * Counts the events of one or more runs. The counts show that the runs contain enough events for a meaningful test.
 */
public final class Tally implements Witness {

    private long inputs;
    private long writes;
    private long terms;
    private long jeopardies;
    private long saves;
    private long faultyNanos;
    private long ledNanos;
    private long acts;
    private long refusedActs;
    private boolean faulty = true;

    @Override
    public void stepped(SimCandidate candidate, LeaseInput input) {
        inputs++;
    }

    @Override
    public void committed(SimCandidate by, VersionedLease before, VersionedLease after, long sentAt) {
        writes++;
    }

    @Override
    public void onEvent(SimCandidate candidate, ElectionEvent event) {
        if (event instanceof ElectionEvent.Elected) {
            terms++;
        } else if (event instanceof ElectionEvent.Jeopardy) {
            jeopardies++;
        }
    }

    @Override
    public void saveConfirmed(SimCandidate candidate, long state) {
        saves++;
    }

    @Override
    public void claimEnded(SimCandidate candidate, long term, long from, long to) {
        if (faulty) {
            ledNanos += to - from;
        }
    }

    @Override
    public void finish(World world) {
        acts = world.resource().accepted();
        refusedActs = world.resource().refused();
    }

    /** Ends the phase with faults. Availability is measured for that phase only. */
    void faultsEnd(World world) {
        faulty = false;
        faultyNanos = world.now() * world.elections().size();
    }

    void add(Tally other) {
        inputs += other.inputs;
        writes += other.writes;
        terms += other.terms;
        jeopardies += other.jeopardies;
        saves += other.saves;
        faultyNanos += other.faultyNanos;
        ledNanos += other.ledNanos;
        acts += other.acts;
        refusedActs += other.refusedActs;
    }

    /** Formats the averages per run. */
    String perRun(long runs) {
        return String.format(
                "per run: %.0f inputs, %.0f stored writes, %.1f terms, %.1f jeopardies, %.1f confirmed saves; led"
                        + " %.0f %% of the faulty time; %.1f acts, of which a fence refused %.2f",
                inputs / (double) runs,
                writes / (double) runs,
                terms / (double) runs,
                jeopardies / (double) runs,
                saves / (double) runs,
                faultyNanos == 0 ? 0 : 100.0 * ledNanos / faultyNanos,
                (acts + refusedActs) / (double) runs,
                refusedActs / (double) runs);
    }

    long terms() {
        return terms;
    }

    long refusedActs() {
        return refusedActs;
    }
}
