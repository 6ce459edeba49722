package dev.doyen.lease;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The record as a machine last read it, and when the lease is free (rules L2, L3, L12).
 *
 * @param version null before the first read
 * @param record the record, if there was one
 * @param epoch the epoch under which the lease was last seen held, even if the record has vanished since
 * @param seenAtNanos when the first answer was <em>received</em> that showed the holder's last write
 * @param freeAtNanos when a takeover may be tried: W after that, or at once if nobody holds the lease; without meaning
 *     under a session
 * @param highestTerm the highest term that may have been used, whatever the store returns later
 * @param shownTerm the highest term that a record has shown
 * @param termSinceNanos when that term was first shown
 */
record ObservedRecord(
        @Nullable LeaseVersion version,
        Optional<LeaseRecord> record,
        Optional<Epoch> epoch,
        long seenAtNanos,
        long freeAtNanos,
        long highestTerm,
        long shownTerm,
        long termSinceNanos) {

    static final ObservedRecord NONE = new ObservedRecord(null, Optional.empty(), Optional.empty(), 0, 0, 0, 0, 0);

    /**
     * Returns the state after an answer of the store, received at {@code now}.
     *
     * <p>If the version is the same as before, only the highest term may change: while a record is absent, terms may be
     * used.
     */
    ObservedRecord seeing(VersionedLease found, Moment now) {
        long highest = Math.max(highestTerm, found.highestTerm());
        if (found.version().equals(version)) {
            return new ObservedRecord(
                    version, record, epoch, seenAtNanos, freeAtNanos, highest, shownTerm, termSinceNanos);
        }
        if (record.flatMap(old -> found.record().filter(old::isOnlyNotedIn)).isPresent()) {
            // Another participant wrote notes. The holder has shown no life since, so it gets no more time (rule L2).
            return new ObservedRecord(
                    found.version(),
                    found.record(),
                    epoch,
                    seenAtNanos,
                    freeAtNanos,
                    highest,
                    shownTerm,
                    termSinceNanos);
        }
        long shown = Math.max(shownTerm, found.record().map(LeaseRecord::term).orElse(0L));
        long wait = found.record()
                // A record that vanished under a live lease does not free the lease, because its holder may lead until
                // it expires. A non-expiring lease ends when its record vanishes.
                .or(() -> record.filter(old -> !old.isNonExpiring() && now.nanos() - freeAtNanos < 0))
                .filter(LeaseRecord::isHeld)
                .map(held -> held.ttl().toNanos())
                .orElse(0L);
        Optional<Epoch> session = found.record().isPresent() ? found.record().flatMap(LeaseRecord::epoch) : epoch;
        long termSince = isKnown() && shown == shownTerm ? termSinceNanos : now.nanos();
        return new ObservedRecord(
                found.version(), found.record(), session, now.nanos(), now.nanos() + wait, highest, shown, termSince);
    }

    /**
     * Returns the version; throws {@link IllegalStateException} before the first read.
     *
     * <p>A machine must not write over a version that it has not read.
     */
    LeaseVersion knownVersion() {
        LeaseVersion known = version;
        if (known == null) {
            throw new IllegalStateException("nothing may be written before the first look");
        }
        return known;
    }

    boolean isKnown() {
        return version != null;
    }

    /**
     * Returns when the lease becomes free; empty if that is not known yet.
     *
     * <p>Rule L3: nobody holds the lease, or this version has not changed for W. Rule L12: the session of the lease has
     * ended.
     */
    OptionalLong freeAt(Sessions sessions) {
        if (!isKnown()) {
            return OptionalLong.empty();
        }
        if (epoch.isEmpty()) {
            return OptionalLong.of(freeAtNanos);
        }
        Epoch session = epoch.get();
        return sessions.of(session.session())
                .filter(seen -> seen.hasEnded(session.term()))
                .map(seen -> OptionalLong.of(later(seenAtNanos, seen.running() ? seenAtNanos : seen.freeAtNanos())))
                .orElse(OptionalLong.empty());
    }

    boolean isFreeAt(Moment now, Sessions sessions) {
        OptionalLong at = freeAt(sessions);
        return at.isPresent() && now.nanos() - at.getAsLong() >= 0;
    }

    /** Returns the session to fence before the lease can be acquired: silent, but not ended yet. */
    Optional<Epoch> silentSession(Moment now, Sessions sessions) {
        return epoch.filter(held -> sessions.of(held.session())
                .filter(seen -> !seen.hasEnded(held.term()) && seen.isSilentAt(now))
                .isPresent());
    }

    /** Returns true if a holder has written since {@code before}, an earlier state of the same record. */
    boolean isWrittenSince(ObservedRecord before) {
        return before.isKnown() && isHeld() && seenAtNanos != before.seenAtNanos;
    }

    boolean isHeldBy(Identity identity) {
        return record.filter(r -> r.incarnation().equals(identity.incarnation())
                        && r.holder().equals(identity.id()))
                .isPresent();
    }

    /** Returns true if the holder has this id, in any incarnation (rule L10). */
    boolean isHeldUnderName(String id) {
        return record.filter(r -> r.holder().equals(id)).isPresent();
    }

    boolean isHeld() {
        return record.filter(LeaseRecord::isHeld).isPresent();
    }

    /** Returns the holder, unless its lease was seen to expire or its session to be silent for its ttl. */
    Optional<Leader> leaderAt(Moment now, Sessions sessions) {
        if (isFreeAt(now, sessions) || silentSession(now, sessions).isPresent()) {
            return Optional.empty();
        }
        return record.filter(LeaseRecord::isHeld).map(r -> new Leader(r.holder(), r.term()));
    }

    LeaseNotes notes() {
        return record.map(LeaseRecord::notes).orElse(LeaseNotes.NONE);
    }

    /**
     * Returns this record, read as that of a session; empty before the first read.
     *
     * <p>A record that is missing or was deleted counts as held, and as silent after its ttl. Terms that may have been
     * used meanwhile end no epoch.
     */
    Optional<ObservedSession> asSession(Duration ttl) {
        if (!isKnown()) {
            return Optional.empty();
        }
        boolean running = record.isEmpty() || isHeld();
        long free = record.isEmpty() ? later(freeAtNanos, seenAtNanos + ttl.toNanos()) : freeAtNanos;
        return Optional.of(new ObservedSession(shownTerm, running, free));
    }

    private static long later(long one, long other) {
        return one - other >= 0 ? one : other;
    }
}
