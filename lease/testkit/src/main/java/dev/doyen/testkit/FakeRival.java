package dev.doyen.testkit;

import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A simulated process that holds the lease while no candidate of the test may lead.
 *
 * <p>The rival writes records like a real holder in another process. Unlike a real candidate, the rival can take a
 * lease that another candidate holds.
 */
final class FakeRival {

    static final String SOMEBODY_ELSE = "somebody-else";

    private static final String INCARNATION = "far-away";

    private final VirtualTime time;
    private final LeaseStore store;
    private final String election;
    private final Duration ttl;
    private boolean standsBy;
    private long writes;
    private VirtualTime.@Nullable Timer renewal;

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
        VersionedLease found = store.read(election);
        take(as, found, notes(found));
    }

    /** Takes the lease like {@link #take}, and also ends a pause of the election. */
    void takeUnpaused(String as) {
        VersionedLease found = store.read(election);
        take(as, found, notes(found).withPause(Optional.empty()));
    }

    private void take(String as, VersionedLease found, LeaseNotes notes) {
        long term = found.record().map(LeaseRecord::term).orElse(0L) + 1;
        write(found, as, term, instant(), notes.heldWith(LeaseNotes.MAX_PRIORITY));
        renewLater();
    }

    /** Releases the lease if the rival holds it. */
    void release() {
        VersionedLease found = store.read(election);
        if (renewal != null) {
            renewal.cancel();
        }
        if (isMine(found)) {
            LeaseRecord held = found.record().orElseThrow();
            write(found, "", held.term(), held.acquiredAt(), held.notes());
        }
    }

    private void takeIfFree() {
        boolean free = store.read(election)
                .record()
                .map(record -> !record.isHeld() && record.notes().pause().isEmpty())
                .orElse(true);
        if (standsBy && free) {
            take(SOMEBODY_ELSE);
        }
    }

    private void renewLater() {
        if (renewal != null) {
            renewal.cancel();
        }
        renewal = time.at(time.now().nanos() + ttl.toNanos() / 5, () -> {
            VersionedLease found = store.read(election);
            if (isMine(found)) {
                LeaseRecord held = found.record().orElseThrow();
                write(found, held.holder(), held.term(), held.acquiredAt(), held.notes());
                renewLater();
            }
        });
    }

    private static boolean isMine(VersionedLease found) {
        return found.record()
                .map(record -> record.incarnation().equals(INCARNATION))
                .orElse(false);
    }

    private void write(VersionedLease over, String holder, long term, Instant acquiredAt, LeaseNotes notes) {
        Optional<LeaseRecord> before = over.record();
        var next = new LeaseRecord(
                election,
                holder,
                holder.isEmpty() ? "" : INCARNATION,
                term,
                "far-away-" + ++writes,
                ttl,
                acquiredAt,
                instant(),
                before.map(LeaseRecord::state).orElse(SavedState.EMPTY),
                before.map(LeaseRecord::stateVersion).orElse(0L),
                Optional.empty(),
                notes);
        LeaseVersion expected = over.version();
        if (!(store.compareAndSet(election, expected, next) instanceof CasOutcome.Written)) {
            throw new IllegalStateException("another thread wrote the lease of \"" + election
                    + "\" while the test directed it; direct it from one thread at a time");
        }
    }

    private static LeaseNotes notes(VersionedLease found) {
        return found.record().map(LeaseRecord::notes).orElse(LeaseNotes.NONE);
    }

    private Instant instant() {
        Moment now = time.now();
        return Instant.ofEpochMilli(now.wallMillis());
    }
}
