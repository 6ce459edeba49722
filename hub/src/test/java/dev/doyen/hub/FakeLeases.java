package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store of leases that answers when told to: one holder per channel, terms that only grow. */
final class FakeLeases {

    /** One channel's record. {@code outsider} holds it for a candidate that is not on this hub. */
    static final class Lease {
        @Nullable
        Claimant holder;

        boolean outsider;
        long term;

        @Nullable
        Claimant asking;
    }

    private final Map<String, Lease> leases = new LinkedHashMap<>();

    Lease of(String channel) {
        return leases.computeIfAbsent(channel, name -> new Lease());
    }

    void claim(Claimant claimant) {
        Lease lease = of(claimant.channel());
        assertThat(lease.asking).as("one claim at a time per channel").isNull();
        assertThat(lease.holder)
                .as("nobody is asked for while the hub has a holder")
                .isNull();
        lease.asking = claimant;
    }

    void release(Claimant claimant) {
        Lease lease = of(claimant.channel());
        if (claimant.equals(lease.asking)) {
            lease.asking = null;
        } else {
            assertThat(lease.holder)
                    .as("only the holder, or who asks, releases")
                    .isEqualTo(claimant);
            lease.holder = null;
        }
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
