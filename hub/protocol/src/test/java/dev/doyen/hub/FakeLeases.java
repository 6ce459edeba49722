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

/** A lease store that answers on command. An election has one holder, and its terms only rise. */
final class FakeLeases {

    /** The record of one election. {@code outsider} means that a candidate outside this hub holds the lease. */
    static final class Lease {
        @Nullable
        Claimant holder;

        /** Whether the holder has lost its claim and not confirmed its end (rule C19). */
        boolean ending;

        /** Until when the former holder may lead by its own clock. */
        long promisedUntilNanos;

        boolean outsider;
        long term;
        SavedState state = SavedState.EMPTY;
        /** Saves that the holder has sent and the store has not stored yet. */
        final Deque<HubEffect.Save> saves = new ArrayDeque<>();

        @Nullable
        Claimant asking;
    }

    private final Map<String, Lease> leases = new LinkedHashMap<>();

    Lease of(String election) {
        return leases.computeIfAbsent(election, name -> new Lease());
    }

    void claim(Claimant claimant) {
        Lease lease = of(claimant.election());
        assertThat(lease.asking).as("one claim at a time per election").isNull();
        assertThat(lease.holder)
                .as("nobody is asked for while the hub has a holder")
                .isNull();
        lease.asking = claimant;
    }

    void release(Claimant claimant) {
        Lease lease = of(claimant.election());
        if (claimant.equals(lease.asking)) {
            lease.asking = null;
        } else {
            assertThat(lease.holder)
                    .as("only the holder, or who asks, releases")
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

    /** Stores up to {@code atMost} saves and returns the last one; empty if none waits. */
    Optional<HubEffect.Save> keep(Lease lease, int atMost) {
        HubEffect.Save last = null;
        for (int i = 0; i < atMost && !lease.saves.isEmpty(); i++) {
            last = lease.saves.remove();
            lease.state = last.state();
        }
        return Optional.ofNullable(last);
    }

    /** Answers the asking claimant. Returns the new term; empty if another holds the lease. */
    Optional<Long> answer(Lease lease) {
        Claimant asking = lease.asking;
        lease.asking = null;
        if (lease.outsider) {
            return Optional.empty();
        }
        lease.holder = asking;
        return Optional.of(++lease.term);
    }

    Optional<Leader> outsider(Lease lease) {
        return lease.term == 0 ? Optional.empty() : Optional.of(new Leader("outsider", lease.term));
    }

    Map<String, Lease> all() {
        return leases;
    }
}
