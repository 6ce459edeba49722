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
 * What a candidate last saw of the record, and from when on it may be taken (rules L2, L3, L12).
 *
 * @param version null before the first look
 * @param record what stood there, if anything
 * @param epoch the epoch that the lease was last seen held under, even if the record has vanished since
 * @param seenAtNanos the <em>receipt</em> of the first answer that showed what the holder last wrote
 * @param freeAtNanos when a takeover may be tried: W after that, or at once if nobody holds it; without meaning while
 *     held under a session
 * @param highestTerm the highest term that may have been used, whatever the store says later
 * @param shownTerm the highest term that a record has shown
 * @param termSinceNanos when that term was first shown
 */
record Sight(
        @Nullable LeaseVersion version,
        Optional<LeaseRecord> record,
        Optional<Epoch> epoch,
        long seenAtNanos,
        long freeAtNanos,
        long highestTerm,
        long shownTerm,
        long termSinceNanos) {

    static final Sight NONE = new Sight(null, Optional.empty(), Optional.empty(), 0, 0, 0, 0, 0);

    /**
     * Takes in what the store showed, received at {@code now}. The same version again changes nothing, but for an absence,
     * in which terms may have come and gone.
     */
    Sight seeing(VersionedLease found, Moment now) {
        long highest = Math.max(highestTerm, found.highestTerm());
        if (found.version().equals(version)) {
            return new Sight(version, record, epoch, seenAtNanos, freeAtNanos, highest, shownTerm, termSinceNanos);
        }
        if (record.flatMap(old -> found.record().filter(old::isOnlyNotedIn)).isPresent()) {
            // Somebody wrote into the record of a holder that has shown no life since. That gives it no more time.
            return new Sight(
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
                // A record that vanished under a live lease is no free-for-all: its holder may lead until it expires.
                // A lease for life ends by vanishing.
                .or(() -> record.filter(old -> !old.isForLife() && now.nanos() - freeAtNanos < 0))
                .filter(LeaseRecord::isHeld)
                .map(held -> held.ttl().toNanos())
                .orElse(0L);
        Optional<Epoch> session = found.record().isPresent() ? found.record().flatMap(LeaseRecord::epoch) : epoch;
        long termSince = isKnown() && shown == shownTerm ? termSinceNanos : now.nanos();
        return new Sight(
                found.version(), found.record(), session, now.nanos(), now.nanos() + wait, highest, shown, termSince);
    }

    /** Throws {@link IllegalStateException} before the first look: nothing may be written over the unknown. */
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
     * From when on the lease may be taken. Rule L3: nobody holds it, or this version has not changed for W; rule L12:
     * the session it is held under has ended. Empty if that moment is not known yet.
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

    /** The session to be fenced before the lease may be taken: it is silent, but nobody has ended it yet. */
    Optional<Epoch> silentSession(Moment now, Sessions sessions) {
        return epoch.filter(held -> sessions.of(held.session())
                .filter(seen -> !seen.hasEnded(held.term()) && seen.isSilentAt(now))
                .isPresent());
    }

    /** True if a holder has written since {@code before}, an earlier sight of the same record. */
    boolean isWrittenSince(Sight before) {
        return before.isKnown() && isHeld() && seenAtNanos != before.seenAtNanos;
    }

    boolean isHeldBy(Identity identity) {
        return record.filter(r -> r.incarnation().equals(identity.incarnation())
                        && r.holder().equals(identity.id()))
                .isPresent();
    }

    /** True if the holder has this name, whichever start of it (rule L10). */
    boolean isHeldUnderName(String id) {
        return record.filter(r -> r.holder().equals(id)).isPresent();
    }

    boolean isHeld() {
        return record.filter(LeaseRecord::isHeld).isPresent();
    }

    /** The holder, while its lease, or the session that it is held under, has not been seen to run out. */
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
     * This record read as a session's. One that is not there, or was deleted, is waited for like one that is held; the terms
     * that may have been used meanwhile end no epoch.
     */
    Optional<SessionSight> asSession(Duration ttl) {
        if (!isKnown()) {
            return Optional.empty();
        }
        boolean running = record.isEmpty() || isHeld();
        long free = record.isEmpty() ? later(freeAtNanos, seenAtNanos + ttl.toNanos()) : freeAtNanos;
        return Optional.of(new SessionSight(shownTerm, running, free));
    }

    private static long later(long one, long other) {
        return one - other >= 0 ? one : other;
    }
}
