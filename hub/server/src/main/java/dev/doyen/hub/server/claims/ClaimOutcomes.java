package dev.doyen.hub.server.claims;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import java.util.Optional;

/** Receives the outcomes of claims. Threads: any. */
public interface ClaimOutcomes {

    /**
     * The claimant holds the slot's lease, and the store already has the term.
     *
     * @param left the state that earlier holders saved
     */
    void granted(Claimant claimant, long term, SavedState left);

    /** The store has everything that the claimant saved in this term, up to this number. */
    void saved(Claimant claimant, long term, long number);

    /** The claimant did not get the lease; {@code holder} is empty if the store did not report one. */
    void refused(Claimant claimant, Optional<Leader> holder);

    /**
     * The claimant did not get the lease because the election is paused.
     *
     * @param why the reason, as the end of a sentence
     */
    void paused(Claimant claimant, String why);

    /** The store ended a granted claim that was not released. {@link Claims#release} must still be called. */
    void lost(Claimant claimant, long term, LossCause cause);

    /** Ignores all outcomes; used after the receiver has closed. */
    ClaimOutcomes NOBODY = new ClaimOutcomes() {
        @Override
        public void granted(Claimant claimant, long term, SavedState left) {}

        @Override
        public void saved(Claimant claimant, long term, long number) {}

        @Override
        public void refused(Claimant claimant, Optional<Leader> holder) {}

        @Override
        public void paused(Claimant claimant, String why) {}

        @Override
        public void lost(Claimant claimant, long term, LossCause cause) {}
    };
}
