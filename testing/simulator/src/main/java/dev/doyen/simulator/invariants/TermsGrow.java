package dev.doyen.simulator.invariants;

import dev.doyen.event.ElectionEvent;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that terms rise, in the store and at the candidates.
 *
 * <p>In the store, a term never decreases, and a new holder has a higher term than all earlier holders. At the
 * candidates, each new leadership has a higher term than the previous leadership.
 */
public final class TermsGrow implements Witness {

    private final Map<String, Long> highest = new HashMap<>();
    private final Map<String, Long> elected = new HashMap<>();

    @Override
    public void committed(SimCandidate by, VersionedLease before, VersionedLease after, long sentAt) {
        stored(by.toString(), by.election(), before, after);
    }

    @Override
    public void overwritten(String election, VersionedLease before, VersionedLease after) {
        stored("somebody", election, before, after);
    }

    private void stored(String by, String election, VersionedLease before, VersionedLease after) {
        LeaseRecord next = after.record().orElseThrow();
        long highestYet = highest.getOrDefault(election, 0L);
        boolean sameHold = before.record()
                .filter(old ->
                        old.term() == next.term() && (old.incarnation().equals(next.incarnation()) || !next.isHeld()))
                .isPresent();
        if (next.term() < highestYet || (!sameHold && next.term() <= highestYet)) {
            throw new Violation(
                    "TermsGrow",
                    by + " stores term " + next.term() + " for \"" + next.holder() + "\" over "
                            + before.record()
                                    .map(old -> "term " + old.term() + " of \"" + old.holder() + "\"")
                                    .orElse("nothing")
                            + "; the highest was " + highestYet);
        }
        highest.put(election, next.term());
    }

    @Override
    public void onEvent(SimCandidate candidate, ElectionEvent event) {
        if (event instanceof ElectionEvent.Elected won) {
            long last = elected.getOrDefault(candidate.election(), 0L);
            if (won.term() <= last) {
                throw new Violation("TermsGrow", candidate + " is elected in term " + won.term() + " after " + last);
            }
            elected.put(candidate.election(), won.term());
        }
    }
}
