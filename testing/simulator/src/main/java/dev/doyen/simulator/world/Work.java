package dev.doyen.simulator.world;

import dev.doyen.event.SavedState;

/**
 * The simulated work of a leader in one term.
 *
 * <p>The work checks {@code isLeader()}, and acts a little later. The work saves its progress, and sometimes resigns.
 * When the term is lost, the work stops at once, late, or only after the faults have ended. Until it stops, the work
 * can act without a check, like a task that was not interrupted.
 */
public final class Work {

    private static final double STUBBORN = 0.08;
    private static final double SLOW = 0.3;

    private final SimCandidate candidate;
    private final Agenda agenda;
    private final SeededRandom random;
    private final long term;
    private final boolean eager;

    private long count;
    private int pendingActs;
    private boolean ending;
    private boolean mustStop;
    private boolean stopped;
    private boolean stubborn;

    Work(SimCandidate candidate, Agenda agenda, SeededRandom random, long term, SavedState received) {
        this.candidate = candidate;
        this.agenda = agenda;
        this.random = random;
        this.term = term;
        this.eager = random.chance(0.5);
        this.count = countIn(received);
        next();
    }

    /** Returns the progress that a saved state contains. */
    public static long countIn(SavedState state) {
        return state.isEmpty() ? 0 : Long.parseLong(state.text());
    }

    public long term() {
        return term;
    }

    public boolean hasStopped() {
        return stopped;
    }

    /** Asks the work to stop, because the term was lost. */
    void end() {
        ending = true;
        if (random.chance(STUBBORN) && !candidate.world().isHealed()) {
            stubborn = true;
            return;
        }
        long delay = random.chance(SLOW) ? random.seconds(0.1, 12) : random.seconds(0, 0.02);
        agenda.after(candidate.world().isHealed() ? random.seconds(0, 0.02) : delay, this::stop);
    }

    /** Makes the work stop without further delay, if its term was lost. */
    void stopHanging() {
        if (stubborn || ending) {
            stubborn = false;
            stop();
        }
    }

    private void stop() {
        candidate.process().whenAwake(() -> {
            mustStop = true;
            stopIfQuiet();
        });
    }

    private void stopIfQuiet() {
        if (mustStop && pendingActs == 0 && !stopped && !candidate.isDead()) {
            stopped = true;
            candidate.workStopped(term);
        }
    }

    private void next() {
        agenda.after(
                eager ? random.seconds(0.2, 2) : random.seconds(1, 6),
                () -> candidate.process().whenAwake(this::work));
    }

    private void work() {
        if (mustStop || stopped || candidate.isDead()) {
            return;
        }
        if (candidate.isLeader() || ending) {
            pendingActs++;
            agenda.after(
                    random.chance(0.9) ? random.seconds(0, 0.01) : random.seconds(0, 3),
                    () -> candidate.process().whenAwake(this::act));
        }
        if (!ending && random.chance(0.3)) {
            count++;
            candidate.save(count);
        }
        if (!ending && !candidate.world().isHealed() && random.chance(0.01)) {
            candidate.resign("");
        }
        next();
    }

    private void act() {
        if (candidate.isDead()) {
            return;
        }
        pendingActs--;
        candidate.world().acted(candidate, term);
        stopIfQuiet();
    }
}
