package dev.doyen.server.claims;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.hub.Claimant;
import java.util.Optional;

/** What became of claims. Threads: any. */
public interface ClaimOutcomes {

    /** The claimant holds its slot's lease; the term is already in the store. What holders before it left, comes along. */
    void granted(Claimant claimant, long term, HandOverState left);

    /** The store has what the claimant saved in this term, up to this number. */
    void saved(Claimant claimant, long term, long number);

    /** The claimant could not get the lease; {@code holder} is empty if the store could not say who has it. */
    void refused(Claimant claimant, Optional<Leader> holder);

    /** The claimant could not get the lease because nobody may just now; {@code why} ends a sentence. */
    void paused(Claimant claimant, String why);

    /** A granted claim ended in the store, without having been released. {@link Claims#release} is owed all the same. */
    void lost(Claimant claimant, long term, LossCause cause);

    /** Hears nothing: for when nobody is there any more. */
    ClaimOutcomes NOBODY = new ClaimOutcomes() {
        @Override
        public void granted(Claimant claimant, long term, HandOverState left) {}

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
