package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lease store that answers only when the test requests an answer. An election has at most one holder, and each new
 * term is higher.
 */
final class FakeLeases {

    /**
     * The record of one election. The field {@code outsider} is true if a candidate outside this hub holds the lease.
     */
    static final class Lease {
        @Nullable
        Claimant holder;

        /** True if the holder has lost its claim and has not confirmed that it has stopped (rule C19). */
        boolean ending;

        /** The time at which the promise of an ending holder expires. */
        long promisedUntilNanos;

        boolean outsider;
        long term;
        SavedState state = SavedState.EMPTY;
        /** The saves that the holder has sent and the store has not stored. */
        final Deque<HubEffect.Save> saves = new ArrayDeque<>();

        @Nullable
        Claimant waiting;
    }

    private final Map<String, Lease> leases = new LinkedHashMap<>();

    Lease of(String election) {
        return leases.computeIfAbsent(election, name -> new Lease());
    }

    void claim(Claimant claimant) {
        Lease lease = of(claimant.election());
        assertThat(lease.waiting)
                .as("an election has at most one waiting claim")
                .isNull();
        assertThat(lease.holder)
                .as("the hub sends no claim while it has a holder")
                .isNull();
        lease.waiting = claimant;
    }

    void release(Claimant claimant) {
        Lease lease = of(claimant.election());
        if (claimant.equals(lease.waiting)) {
            lease.waiting = null;
        } else {
            assertThat(lease.holder)
                    .as("only the holder or the waiting claimant releases")
                    .isEqualTo(claimant);
            lease.holder = null;
            lease.ending = false;
            lease.saves.clear();
        }
    }

    void save(HubEffect.Save save) {
        Lease lease = of(save.claimant().election());
        assertThat(lease.holder).as("only the holder saves").isEqualTo(save.claimant());
        assertThat(save.term()).isEqualTo(lease.term);
        lease.saves.add(save);
    }

    /** Stores up to {@code atMost} saves and returns the last stored save. The result is empty if no save waits. */
    Optional<HubEffect.Save> keep(Lease lease, int atMost) {
        HubEffect.Save last = null;
        for (int i = 0; i < atMost && !lease.saves.isEmpty(); i++) {
            last = lease.saves.remove();
            lease.state = last.state();
        }
        return Optional.ofNullable(last);
    }

    /**
     * Grants the pending claim and returns the new term. If a candidate outside this hub holds the lease, the method
     * rejects the claim and returns an empty result.
     */
    Optional<Long> answer(Lease lease) {
        Claimant waiting = lease.waiting;
        lease.waiting = null;
        if (lease.outsider) {
            return Optional.empty();
        }
        lease.holder = waiting;
        return Optional.of(++lease.term);
    }

    Optional<Leader> outsider(Lease lease) {
        return lease.term == 0 ? Optional.empty() : Optional.of(new Leader("outsider", lease.term));
    }

    Map<String, Lease> all() {
        return leases;
    }
}
