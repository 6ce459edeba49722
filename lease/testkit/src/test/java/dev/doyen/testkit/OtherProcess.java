package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Writes lease records as another process does, but only when the test calls a method. */
final class OtherProcess {

    private static final String ID = "other";

    private final LeaseStore store;

    OtherProcess(LeaseStore store) {
        this.store = store;
    }

    /**
     * Renews the lease if this process holds it. Otherwise acquires the lease at once, even if another process holds
     * it.
     */
    void acquire(String election, Duration ttl) {
        write(election, ID, ttl, Optional.empty());
    }

    /** Like {@link #acquire}, but the written record contains {@code epoch}. A changed epoch begins a new term. */
    void acquireUnder(LeaseRecord.Epoch epoch, String election, Duration ttl) {
        write(election, ID, ttl, Optional.of(epoch));
    }

    /** Writes a record without a holder. If the lease has a record already, the new record has the same term. */
    void release(String election, Duration ttl) {
        write(election, "", ttl, Optional.empty());
    }

    private void write(String election, String holder, Duration ttl, Optional<LeaseRecord.Epoch> epoch) {
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
