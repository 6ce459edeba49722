package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Writes lease records like another process. It writes only what the test asks for, and at once. */
final class OtherProcess {

    private static final String ID = "other";

    private final LeaseStore store;

    OtherProcess(LeaseStore store) {
        this.store = store;
    }

    /** Renews the lease, or takes it even if another holds it. */
    void hold(String election, Duration ttl) {
        write(election, ID, ttl, Optional.empty());
    }

    /** Like {@link #hold}, but under a session of this process. */
    void holdUnder(Epoch epoch, String election, Duration ttl) {
        write(election, ID, ttl, Optional.of(epoch));
    }

    /** Writes a record that nobody holds, with the present term. */
    void release(String election, Duration ttl) {
        write(election, "", ttl, Optional.empty());
    }

    private void write(String election, String holder, Duration ttl, Optional<Epoch> epoch) {
        VersionedLease before = store.read(election);
        boolean isSameTerm = before.record()
                .filter(old -> holder.isEmpty()
                        || (old.holder().equals(holder) && old.epoch().equals(epoch)))
                .isPresent();
        var next = new LeaseRecord(
                election,
                holder,
                holder.isEmpty() ? "" : "1",
                before.highestTerm() + (isSameTerm ? 0 : 1),
                "written after " + before.version().value(),
                ttl,
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0,
                epoch,
                LeaseNotes.NONE);
        assertThat(store.compareAndSet(election, before.version(), next)).isInstanceOf(CasOutcome.Written.class);
    }
}
