package dev.doyen.cli.operator;

import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Creates records of an election named {@code e} with a ttl of 10 s. Each record has its own version. */
public final class Records {

    public static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private static final AtomicLong VERSIONS = new AtomicLong();

    private Records() {}

    /** Returns a lease held since noon, and last renewed {@code renewedAfter} seconds after noon. */
    public static LeaseRecord held(String holder, long term, long renewedAfter) {
        return record("e", holder, term, renewedAfter, Optional.empty(), LeaseNotes.NONE);
    }

    /** Returns a lease without a holder, after a term that ended at noon. */
    public static LeaseRecord free(long term, String lastHolder, LossCause end) {
        var past = new LeaseNotes.PastTerm(term, lastHolder, NOON.minusSeconds(60), NOON, end);
        return record("e", "", term, 0, Optional.empty(), LeaseNotes.NONE.withPast(past));
    }

    public static LeaseRecord under(String session, long epoch, String holder, long term) {
        return record("e", holder, term, 0, Optional.of(new LeaseRecord.Epoch(session, epoch)), LeaseNotes.NONE);
    }

    public static LeaseRecord session(String name, String holder, long epoch, long renewedAfter) {
        return record(name, holder, epoch, renewedAfter, Optional.empty(), LeaseNotes.NONE);
    }

    public static LeaseRecord noting(LeaseRecord record, LeaseNotes notes) {
        return record.noting(notes, "note");
    }

    public static LeaseNotes past(LeaseNotes.PastTerm... terms) {
        return new LeaseNotes(100, 0, Optional.empty(), Optional.empty(), Optional.empty(), List.of(terms));
    }

    public static ElectionSnapshot snapshot(LeaseRecord record) {
        return new ElectionSnapshot(versioned(record), Optional.empty());
    }

    public static ElectionSnapshot snapshot(LeaseRecord record, LeaseRecord session) {
        return new ElectionSnapshot(versioned(record), Optional.of(versioned(session)));
    }

    public static ElectionSnapshot nothing() {
        return new ElectionSnapshot(VersionedLease.ABSENT, Optional.empty());
    }

    public static VersionedLease versioned(LeaseRecord record) {
        return VersionedLease.of(LeaseVersion.of(VERSIONS.incrementAndGet()), record);
    }

    public static long seconds(double seconds) {
        return Math.round(seconds * 1_000_000_000);
    }

    private static LeaseRecord record(
            String election,
            String holder,
            long term,
            long renewedAfter,
            Optional<LeaseRecord.Epoch> under,
            LeaseNotes notes) {
        return new LeaseRecord(
                election,
                holder,
                holder.isEmpty() ? "" : holder + "-incarnation",
                term,
                "nonce-" + renewedAfter,
                Duration.ofSeconds(10),
                NOON,
                NOON.plusSeconds(renewedAfter),
                SavedState.EMPTY,
                0,
                under,
                notes);
    }
}
