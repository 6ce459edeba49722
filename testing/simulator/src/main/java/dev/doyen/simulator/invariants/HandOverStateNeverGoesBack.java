package dev.doyen.simulator.invariants;

import dev.doyen.event.ElectionEvent;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import dev.doyen.simulator.world.Work;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that no leader receives an older saved state than the last confirmed state.
 *
 * <p>When a save is confirmed to a leader, the store must contain the saved state. The next leader must receive this
 * state or a later state.
 */
public final class HandOverStateNeverGoesBack implements Witness {

    private static final String NAME = "HandOverStateNeverGoesBack";

    private final Map<String, Long> confirmed = new HashMap<>();
    private final Map<String, Long> stored = new HashMap<>();
    private final Map<String, Long> versions = new HashMap<>();

    @Override
    public void committed(SimCandidate by, VersionedLease before, VersionedLease after, long sentAt) {
        LeaseRecord record = after.record().orElseThrow();
        long state = Work.countIn(record.state());
        long last = stored.getOrDefault(by.election(), 0L);
        if (state < last || record.stateVersion() < versions.getOrDefault(by.election(), 0L)) {
            throw new Violation(NAME, by + " stores state " + state + " over " + last);
        }
        stored.put(by.election(), state);
        versions.put(by.election(), record.stateVersion());
    }

    @Override
    public void saveConfirmed(SimCandidate candidate, long state) {
        if (state > stored.getOrDefault(candidate.election(), 0L)) {
            throw new Violation(
                    NAME, candidate + " received a confirmation of state " + state + ", which is not stored");
        }
        confirmed.merge(candidate.election(), state, Math::max);
    }

    @Override
    public void onEvent(SimCandidate candidate, ElectionEvent event) {
        if (event instanceof ElectionEvent.Elected won) {
            long received = Work.countIn(won.state());
            long least = confirmed.getOrDefault(candidate.election(), 0L);
            if (received < least) {
                throw new Violation(
                        NAME, candidate + " receives state " + received + " although " + least + " was saved");
            }
        }
    }
}
