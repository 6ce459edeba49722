package dev.doyen.lease;

import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a candidate last saw of the record, and from when on it may be taken (rules L2, L3).
 *
 * @param version null before the first look
 * @param record what stood there, if anything
 * @param freeAtNanos when a takeover may be tried: W after the <em>receipt</em> of the first answer that showed this
 *     version, or at once if nobody holds it
 * @param highestTerm the highest term ever seen, whatever the store says later
 */
record Sight(@Nullable LeaseVersion version, Optional<LeaseRecord> record, long freeAtNanos, long highestTerm) {

    static final Sight NONE = new Sight(null, Optional.empty(), 0, 0);

    /** Takes in what the store showed, received at {@code now}. The same version again changes nothing. */
    Sight seeing(VersionedLease found, Moment now) {
        if (found.version().equals(version)) {
            return this;
        }
        long highest =
                Math.max(highestTerm, found.record().map(LeaseRecord::term).orElse(0L));
        long wait = found.record()
                // A record that vanished under a live lease is no free-for-all: its holder may lead until it expires.
                .or(() -> record.filter(old -> !isFreeAt(now)))
                .filter(LeaseRecord::isHeld)
                .map(held -> held.ttl().toNanos())
                .orElse(0L);
        return new Sight(found.version(), found.record(), now.nanos() + wait, highest);
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

    /** Rule L3: nobody holds it, or this version has not changed for W. */
    boolean isFreeAt(Moment now) {
        return isKnown() && now.nanos() - freeAtNanos >= 0;
    }

    boolean isHeldBy(Identity identity) {
        return record.filter(r -> r.incarnation().equals(identity.incarnation())
                        && r.holder().equals(identity.id()))
                .isPresent();
    }

    /** The holder, while its lease has not been seen to run out. */
    Optional<Leader> leaderAt(Moment now) {
        return isFreeAt(now)
                ? Optional.empty()
                : record.filter(LeaseRecord::isHeld).map(r -> new Leader(r.holder(), r.term()));
    }
}
