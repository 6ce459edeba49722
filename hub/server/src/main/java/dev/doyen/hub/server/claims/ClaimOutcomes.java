package dev.doyen.hub.server.claims;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import java.util.Optional;

/** Receives the outcomes of claims. Any thread may call the methods. */
public interface ClaimOutcomes {

    /**
     * Called when the claimant holds the lease of the slot. The store has already stored the term.
     *
     * @param left the state that earlier holders have saved
     */
    void granted(Claimant claimant, long term, SavedState left);

    /** Called when the store has stored all saves up to this number in this term. */
    void saved(Claimant claimant, long term, long number);

    /**
     * Called when the claimant did not get the lease. The {@code holder} is empty if the store did not report a holder.
     */
    void refused(Claimant claimant, Optional<Leader> holder);

    /**
     * Called when the claimant did not get the lease because the election is paused.
     *
     * @param why the reason, as the end of a sentence
     */
    void paused(Claimant claimant, String why);

    /**
     * Called when a granted claim ended although the hub had not released it. The hub must still call {@link
     * Claims#release}.
     */
    void lost(Claimant claimant, long term, LossCause cause);

    /** Ignores all outcomes. This object replaces the actual receiver after {@link Claims#close}. */
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
