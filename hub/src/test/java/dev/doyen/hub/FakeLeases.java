package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store of leases that answers when told to: one holder per election, terms that only grow. */
final class FakeLeases {

    /** One election's record. {@code outsider} holds it for a candidate that is not on this hub. */
    static final class Lease {
        @Nullable
        Claimant holder;

        /** An order took it away from its holder, who has not said yet that it has stopped (C19). */
        boolean ending;

        /** Until when that may go on by its own clock. */
        long promisedUntilNanos;

        boolean outsider;
        long term;
        HandOverState state = HandOverState.EMPTY;
        /** What the holder has asked to be kept, and the store has not kept yet. */
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

    /** Keeps the newest of some saves; empty if none waits. */
    Optional<HubEffect.Save> keep(Lease lease, int atMost) {
        HubEffect.Save last = null;
        for (int i = 0; i < atMost && !lease.saves.isEmpty(); i++) {
            last = lease.saves.remove();
            lease.state = last.state();
        }
        return Optional.ofNullable(last);
    }

    /** Answers who asks: the new term, or empty if somebody else has the lease. */
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
