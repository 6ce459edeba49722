package dev.doyen.server.operator;

import dev.doyen.event.Leader;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.PastTerm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What an onlooker knows of an election after one look or several. It follows rule L2 as a candidate does: a lease has
 * run out when nothing has changed for its ttl, by the onlooker's own monotonic clock.
 *
 * @param look the latest look
 * @param unchangedSinceNanos the receipt of the first answer that showed what the latest shows
 * @param alive the holder was seen to write: a single look cannot tell how old a record is
 */
public record Sighting(Look look, long unchangedSinceNanos, boolean alive) {

    /** How an election can stand. */
    public enum Standing {
        /** It has no record: nobody has ever led. */
        NEVER_LED,
        /** Nobody holds the lease. */
        FREE,
        /** Somebody holds the lease; whether it still lives has not been seen yet. */
        NAMED,
        /** Somebody holds the lease, and was seen to write. */
        LED,
        /** Somebody holds the lease, and nothing has changed for its ttl. */
        RUN_OUT
    }

    /** After the first look. */
    public static Sighting first(Look look, long nanos) {
        return new Sighting(look, nanos, false);
    }

    /** After a further look, received at {@code nanos}. */
    public Sighting then(Look next, long nanos) {
        if (next.equals(look)) {
            return this;
        }
        // Orders and pauses are written by others: they make all wait anew (L2), but are no life of the holder's.
        boolean sameTerm = term(next).equals(term(look));
        boolean wrote = next.renewed().isPresent() && !writtenAt(next).equals(writtenAt(look));
        return new Sighting(next, nanos, wrote || !sameTerm || alive);
    }

    public Standing standing(long nanos) {
        if (look.record().isEmpty()) {
            return Standing.NEVER_LED;
        }
        if (!look.isHeld()) {
            return Standing.FREE;
        }
        if (unchangedFor(nanos).compareTo(ttl()) >= 0) {
            return Standing.RUN_OUT;
        }
        return alive ? Standing.LED : Standing.NAMED;
    }

    /** The holder, unless its lease was seen to run out. */
    public Optional<Leader> leader(long nanos) {
        var standing = standing(nanos);
        return standing == Standing.NAMED || standing == Standing.LED ? holder() : Optional.empty();
    }

    /** Whoever the record names, dead or alive. */
    public Optional<Leader> holder() {
        return record().filter(LeaseRecord::isHeld).map(held -> new Leader(held.holder(), held.term()));
    }

    public Optional<LeaseRecord> record() {
        return look.record();
    }

    /** How long nothing has changed, as far as was seen here. */
    public Duration unchangedFor(long nanos) {
        return Duration.ofNanos(nanos - unchangedSinceNanos);
    }

    /** How long the lease lasts from now on if nothing more is heard of its holder; at most zero if it has run out. */
    public Duration lasts(long nanos) {
        return ttl().minus(unchangedFor(nanos));
    }

    /** W of the record that the holder renews. */
    public Duration ttl() {
        return look.renewed().or(this::record).map(LeaseRecord::ttl).orElse(Duration.ZERO);
    }

    /** When the holder wrote last, by its own clock. */
    public Optional<Instant> heardAt() {
        return look.renewed().map(LeaseRecord::renewedAt);
    }

    /** The term that ended last, if the record still knows. */
    public Optional<PastTerm> lastPast() {
        return record().flatMap(found -> found.notes().past().stream().findFirst());
    }

    private static Optional<Instant> writtenAt(Look look) {
        return look.renewed().map(LeaseRecord::renewedAt);
    }

    private static Optional<Long> term(Look look) {
        return look.record().map(LeaseRecord::term);
    }
}
