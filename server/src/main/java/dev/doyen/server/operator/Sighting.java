package dev.doyen.server.operator;

import dev.doyen.event.Leader;
import dev.doyen.lease.ObservedLease;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.PastTerm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An election as an operator's command has read it, once or several times.
 *
 * @param look the latest read
 * @param lease all reads, by the rules that candidates follow (L2, L12)
 */
public record Sighting(Look look, ObservedLease lease) {

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
        return new Sighting(look, ObservedLease.NONE.seeing(look.lease(), look.session(), nanos));
    }

    /** After a further look, received at {@code nanos}. */
    public Sighting then(Look next, long nanos) {
        return new Sighting(next, lease.seeing(next.lease(), next.session(), nanos));
    }

    public Standing standing(long nanos) {
        if (look.record().isEmpty()) {
            return Standing.NEVER_LED;
        }
        if (!lease.isHeld()) {
            return Standing.FREE;
        }
        if (lease.isSilentAt(nanos)) {
            return Standing.RUN_OUT;
        }
        return lease.isAlive() ? Standing.LED : Standing.NAMED;
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

    /** How long the holder has written nothing, as far as was seen here. */
    public Duration silentFor(long nanos) {
        return Duration.ofNanos(nanos - lease.heardAtNanos());
    }

    /** How long the lease lasts if its holder stays silent; at most zero if the lease has run out. */
    public Duration lasts(long nanos) {
        return Duration.ofNanos(lease.silentAtNanos() - nanos);
    }

    /** The ttl of the record that the holder renews. */
    public Duration ttl() {
        return lease.ttl();
    }

    /** When the holder wrote last, by its own clock. */
    public Optional<Instant> heardAt() {
        return lease.renewed().map(LeaseRecord::renewedAt);
    }

    /** The term that ended last, if the record still knows. */
    public Optional<PastTerm> lastPast() {
        return record().flatMap(found -> found.notes().past().stream().findFirst());
    }
}
