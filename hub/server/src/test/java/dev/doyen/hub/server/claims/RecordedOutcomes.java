package dev.doyen.hub.server.claims;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import java.util.Collection;
import java.util.Optional;

/** Records each outcome of a claim as one line. */
class RecordedOutcomes implements ClaimOutcomes {

    private final Collection<String> results;

    RecordedOutcomes(Collection<String> results) {
        this.results = results;
    }

    @Override
    public void granted(Claimant claimant, long term, SavedState left) {
        String what = left.isEmpty() ? "" : " with " + left.text();
        results.add("granted " + claimant.clientId() + " " + term + what);
    }

    @Override
    public void saved(Claimant claimant, long term, long number) {
        results.add("saved " + claimant.clientId() + " " + term + " " + number);
    }

    @Override
    public void refused(Claimant claimant, Optional<Leader> holder) {
        results.add("refused " + claimant.clientId() + " "
                + holder.map(l -> l.id() + "/" + l.term()).orElse("?"));
    }

    @Override
    public void paused(Claimant claimant, String why) {
        results.add("paused " + claimant.clientId() + " " + why);
    }

    @Override
    public void lost(Claimant claimant, long term, LossCause cause) {
        results.add("lost " + claimant.clientId() + " " + term + " " + cause);
    }
}
