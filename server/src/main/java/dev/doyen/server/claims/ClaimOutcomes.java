package dev.doyen.server.claims;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.hub.Claimant;
import java.util.Optional;

/** What became of claims. Threads: any. */
public interface ClaimOutcomes {

    /** The claimant holds its channel's lease; the term is already in the store. */
    void granted(Claimant claimant, long term);

    /** The claimant could not get the lease; {@code holder} is empty if the store could not say who has it. */
    void refused(Claimant claimant, Optional<Leader> holder);

    /** A granted claim ended in the store, without having been released. */
    void lost(Claimant claimant, long term, LossCause cause);

    /** Hears nothing: for when nobody is there any more. */
    ClaimOutcomes NOBODY = new ClaimOutcomes() {
        @Override
        public void granted(Claimant claimant, long term) {}

        @Override
        public void refused(Claimant claimant, Optional<Leader> holder) {}

        @Override
        public void lost(Claimant claimant, long term, LossCause cause) {}
    };
}
