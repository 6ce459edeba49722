package dev.doyen.lease;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The record as a machine last read it. It determines when the lease becomes free (rules L2, L3, L12).
 *
 * @param version the version of the record; null before the first read
 * @param record the record; empty if the election had no record
 * @param epoch the epoch in the last record that was read, even if this record has vanished since; empty if that record
 *     names no epoch
 * @param seenAtNanos the time at which the machine first <em>received</em> the holder's last write
 * @param freeAtNanos the time from which a takeover is permitted: {@code seenAtNanos} plus the ttl if the lease is
 *     held, {@code seenAtNanos} if nobody holds it; not used under a session
 * @param highestTerm the highest term that counts as used, even if the store later returns a lower term
 * @param shownTerm the highest term that a record has contained
 * @param termSinceNanos the time at which {@code shownTerm} was first read
 */
record ObservedRecord(
        @Nullable LeaseVersion version,
        Optional<LeaseRecord> record,
        Optional<LeaseRecord.Epoch> epoch,
        long seenAtNanos,
        long freeAtNanos,
        long highestTerm,
        long shownTerm,
        long termSinceNanos) {

    static final ObservedRecord NONE = new ObservedRecord(null, Optional.empty(), Optional.empty(), 0, 0, 0, 0, 0);

    /**
     * Returns the state after an answer of the store, received at {@code now}.
     *
     * <p>If the version is the same as before, only the highest term can change. The highest term can change while the
     * record is absent, because every absent record has the same version.
     */
    ObservedRecord seeing(VersionedLease found, Moment now) {
        long highest = Math.max(highestTerm, found.highestTerm());
        if (found.version().equals(version)) {
            return new ObservedRecord(
                    version, record, epoch, seenAtNanos, freeAtNanos, highest, shownTerm, termSinceNanos);
        }
        if (record.flatMap(old -> found.record().filter(old::isOnlyNotedIn)).isPresent()) {
            // Another participant has written notes. The holder has not written, so this write does not extend its
            // lease (rule L2).
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
                // If the record of a live lease vanishes, the lease is not free: its holder may lead until the lease
                // expires. A non-expiring lease, however, ends when its record vanishes.
                .or(() -> record.filter(old -> !old.isNonExpiring() && now.nanos() - freeAtNanos < 0))
                .filter(LeaseRecord::isHeld)
                .map(held -> held.ttl().toNanos())
                .orElse(0L);
        Optional<LeaseRecord.Epoch> session =
                found.record().isPresent() ? found.record().flatMap(LeaseRecord::epoch) : epoch;
        long termSince = isKnown() && shown == shownTerm ? termSinceNanos : now.nanos();
        return new ObservedRecord(
                found.version(), found.record(), session, now.nanos(), now.nanos() + wait, highest, shown, termSince);
    }

    /**
     * Returns the version, or throws {@link IllegalStateException} before the first read.
     *
     * <p>A machine must not write over a version that it has not read.
     */
    LeaseVersion knownVersion() {
        LeaseVersion known = version;
        if (known == null) {
            throw new IllegalStateException("nothing may be written before the first read");
        }
        return known;
    }

    boolean isKnown() {
        return version != null;
    }

    /**
     * Returns the time at which the lease becomes free. The result is empty if this time is not known yet.
     *
     * <p>A lease is free if nobody holds it, or if its holder has not written for the ttl (rules L2, L3). A lease under
     * a session is free if the session has ended (rule L12).
     */
    OptionalLong freeAt(Sessions sessions) {
        if (!isKnown()) {
            return OptionalLong.empty();
        }
        if (epoch.isEmpty()) {
            return OptionalLong.of(freeAtNanos);
        }
        LeaseRecord.Epoch session = epoch.get();
        return sessions.of(session.session())
                .filter(seen -> seen.hasEnded(session.term()))
                .map(seen -> OptionalLong.of(later(seenAtNanos, seen.running() ? seenAtNanos : seen.freeAtNanos())))
                .orElse(OptionalLong.empty());
    }

    boolean isFreeAt(Moment now, Sessions sessions) {
        OptionalLong at = freeAt(sessions);
        return at.isPresent() && now.nanos() - at.getAsLong() >= 0;
    }

    /**
     * Returns the session that must be fenced before the lease can be acquired. This session is silent but has not
     * ended yet. The result is empty if there is no such session.
     */
    Optional<LeaseRecord.Epoch> silentSession(Moment now, Sessions sessions) {
        return epoch.filter(held -> sessions.of(held.session())
                .filter(seen -> !seen.hasEnded(held.term()) && seen.isSilentAt(now))
                .isPresent());
    }

    /** Returns true if a holder has written the record since the earlier state {@code before}. */
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

    /**
     * Returns the holder according to the record. The result is empty if the record is missing or was not read yet, if
     * the lease is free, or if the holder's session is silent.
     */
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
     * Returns this record, interpreted as the record of a session; empty before the first read.
     *
     * <p>A record that is missing or was deleted counts as held, and as silent after {@code ttl}. Only a term that was
     * read from a record ends an older epoch. A term that the store reports for a missing record ends no epoch.
     *
     * <p>A stale read can return a record whose term is below {@code shownTerm}. Such a record does not show whether
     * the present epoch has ended, so it counts like a missing record.
     */
    Optional<ObservedSession> asSession(Duration ttl) {
        if (!isKnown()) {
            return Optional.empty();
        }
        boolean isPresent = record.filter(r -> r.term() == shownTerm).isPresent();
        boolean running = !isPresent || isHeld();
        long free = isPresent ? freeAtNanos : later(freeAtNanos, seenAtNanos + ttl.toNanos());
        return Optional.of(new ObservedSession(shownTerm, running, free));
    }

    private static long later(long one, long other) {
        return one - other >= 0 ? one : other;
    }
}
