package dev.doyen.testkit;

import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A simulated process that holds the lease while no candidate of the test may lead.
 *
 * <p>The rival writes records like a real holder in another process. Unlike a real candidate, the rival can take a
 * lease that another candidate holds.
 *
 * <p>Threads: any.
 */
final class FakeRival {

    static final String SOMEBODY_ELSE = "somebody-else";

    private static final String INCARNATION = "far-away";

    private final VirtualTime time;
    private final LeaseStore store;
    private final String election;
    private final Duration ttl;
    private final AtomicLong writes = new AtomicLong();
    private final AtomicReference<VirtualTime.@Nullable Timer> renewal = new AtomicReference<>();
    private volatile boolean standsBy;

    FakeRival(VirtualTime time, LeaseStore store, String election, Duration ttl) {
        this.time = time;
        this.store = store;
        this.election = election;
        this.ttl = ttl;
        store.watch(election, this::takeIfFree);
    }

    /**
     * Sets whether the rival acquires the lease when nobody holds it.
     *
     * <p>The rival does not acquire the lease while the election is paused.
     */
    void standBy(boolean whenFree) {
        standsBy = whenFree;
        takeIfFree();
    }

    /** Takes the lease in a new term, even if another candidate holds it. */
    void take(String as) {
        write(found -> Optional.of(taken(as, found)));
        renewLater();
    }

    /** Takes the lease like {@link #take}, and also removes the notes and the saved state from the record. */
    void takeAnew(String as) {
        write(found -> Optional.of(next(as, term(found) + 1, instant(), SavedState.EMPTY, 0, LeaseNotes.NONE)));
        renewLater();
    }

    /** Releases the lease if the rival holds it. */
    void release() {
        renewAt(null);
        write(found -> held(found).map(held -> with(held, "")));
    }

    private void takeIfFree() {
        boolean isTaken =
                write(found -> standsBy && isFree(found) ? Optional.of(taken(SOMEBODY_ELSE, found)) : Optional.empty());
        if (isTaken) {
            renewLater();
        }
    }

    private static boolean isFree(VersionedLease found) {
        return found.record()
                .map(record -> !record.isHeld() && record.notes().pause().isEmpty())
                .orElse(true);
    }

    private void renewLater() {
        renewAt(time.at(time.now().nanos() + ttl.toNanos() / 5, () -> {
            if (write(found -> held(found).map(held -> with(held, held.holder())))) {
                renewLater();
            }
        }));
    }

    private void renewAt(VirtualTime.@Nullable Timer next) {
        VirtualTime.Timer before = renewal.getAndSet(next);
        if (before != null) {
            before.cancel();
        }
    }

    /** Returns the stored record if the rival holds the lease. */
    private static Optional<LeaseRecord> held(VersionedLease found) {
        return found.record().filter(record -> record.incarnation().equals(INCARNATION));
    }

    private LeaseRecord taken(String as, VersionedLease found) {
        Optional<LeaseRecord> before = found.record();
        LeaseNotes notes = before.map(LeaseRecord::notes).orElse(LeaseNotes.NONE);
        return next(
                as,
                term(found) + 1,
                instant(),
                before.map(LeaseRecord::state).orElse(SavedState.EMPTY),
                before.map(LeaseRecord::stateVersion).orElse(0L),
                notes.heldWith(LeaseNotes.MAX_PRIORITY, 0));
    }

    private LeaseRecord with(LeaseRecord held, String holder) {
        return next(holder, held.term(), held.acquiredAt(), held.state(), held.stateVersion(), held.notes());
    }

    private static long term(VersionedLease found) {
        return found.record().map(LeaseRecord::term).orElse(0L);
    }

    private LeaseRecord next(
            String holder, long term, Instant acquiredAt, SavedState state, long stateVersion, LeaseNotes notes) {
        return new LeaseRecord(
                election,
                holder,
                holder.isEmpty() ? "" : INCARNATION,
                term,
                "far-away-" + writes.incrementAndGet(),
                ttl,
                acquiredAt,
                instant(),
                state,
                stateVersion,
                Optional.empty(),
                notes);
    }

    /**
     * Replaces the stored record by the record that {@code next} returns for it.
     *
     * <p>The code under test can write at the same time, in its own threads. After a conflict with such a write, this
     * method calls {@code next} again.
     *
     * @param next the function that returns the new record; empty if the stored record must not change
     * @return true if the record was written
     */
    private boolean write(Function<VersionedLease, Optional<LeaseRecord>> next) {
        while (true) {
            VersionedLease found = store.read(election);
            Optional<LeaseRecord> record = next.apply(found);
            if (record.isEmpty()) {
                return false;
            }
            if (store.compareAndSet(election, found.version(), record.get()) instanceof CasOutcome.Written) {
                return true;
            }
        }
    }

    private Instant instant() {
        Moment now = time.now();
        return Instant.ofEpochMilli(now.wallMillis());
    }
}
