package dev.doyen.candidate;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.election.Threads;
import dev.doyen.event.SavedState;
import java.util.Optional;

/**
 * The base class of lease leaderships and ring leaderships.
 *
 * <p>The last state stays readable after the term has ended. Threads: any.
 */
public abstract class TermLeadership implements Leadership {

    private final String election;
    private final long number;
    private final Threads threads;
    private final Saves saves;
    private volatile SavedState lastState;

    /**
     * @param number the number of the term
     * @param state the state with which the term began, or a state that was saved later in this term
     */
    protected TermLeadership(String election, long number, SavedState state, Threads threads, Saves saves) {
        this.election = election;
        this.number = number;
        this.lastState = state;
        this.threads = threads;
        this.saves = saves;
    }

    /** Returns the present saved state of the term; empty if the term has ended. */
    protected abstract Optional<SavedState> currentState();

    protected final long number() {
        return number;
    }

    /** Returns the last saved state of the term, or else its initial state. */
    public final SavedState state() {
        currentState().ifPresent(state -> lastState = state);
        return lastState;
    }

    /**
     * Saves a state for the next leader, and waits until the save is confirmed.
     *
     * @throws NotLeaderException if the term ends before the save is confirmed
     */
    public final void save(SavedState state) throws InterruptedException {
        saves.save(threads, election, number, state);
        lastState = currentState().orElse(state);
    }

    @Override
    public final void check() {
        if (!isCertain()) {
            throw new NotLeaderException(election, number);
        }
    }

    @Override
    public final String toString() {
        return "term " + number + " of election \"" + election + "\"";
    }
}
