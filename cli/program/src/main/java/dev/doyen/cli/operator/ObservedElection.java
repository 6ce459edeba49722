package dev.doyen.cli.operator;

import dev.doyen.event.Leader;
import dev.doyen.lease.ObservedLease;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.PastTerm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of an election after one or more reads by an operator's command.
 *
 * @param snapshot the latest read
 * @param lease the result of all reads, by the rules that candidates follow (L2, L12)
 */
public record ObservedElection(ElectionSnapshot snapshot, ObservedLease lease) {

    /** The possible states of an election. */
    public enum State {
        /** It has no record, so no candidate has ever led. */
        NEVER_LED,
        /** The lease has no holder. */
        FREE,
        /** The lease has a holder, which has not been seen to write yet. */
        NAMED,
        /** The lease has a holder, which has been seen to write. */
        LED,
        /** The lease has a holder, but the record has not changed for its ttl. */
        EXPIRED
    }

    /** The state after the first read. */
    public static ObservedElection first(ElectionSnapshot snapshot, long nanos) {
        return new ObservedElection(snapshot, ObservedLease.NONE.seeing(snapshot.lease(), snapshot.session(), nanos));
    }

    /** The state after a further read, whose answer arrived at {@code nanos}. */
    public ObservedElection then(ElectionSnapshot next, long nanos) {
        return new ObservedElection(next, lease.seeing(next.lease(), next.session(), nanos));
    }

    public State state(long nanos) {
        if (snapshot.record().isEmpty()) {
            return State.NEVER_LED;
        }
        if (!lease.isHeld()) {
            return State.FREE;
        }
        if (lease.isSilentAt(nanos)) {
            return State.EXPIRED;
        }
        return lease.isAlive() ? State.LED : State.NAMED;
    }

    /** The holder, unless its lease was seen to expire. */
    public Optional<Leader> leader(long nanos) {
        var state = state(nanos);
        return state == State.NAMED || state == State.LED ? holder() : Optional.empty();
    }

    /** The holder that the record names, whether or not it lives. */
    public Optional<Leader> holder() {
        return record().filter(LeaseRecord::isHeld).map(held -> new Leader(held.holder(), held.term()));
    }

    public Optional<LeaseRecord> record() {
        return snapshot.record();
    }

    /** How long no write of the holder has been observed. */
    public Duration silentFor(long nanos) {
        return Duration.ofNanos(nanos - lease.lastWriteAtNanos());
    }

    /** The rest of the lease if its holder stays silent; zero or negative if the lease has expired. */
    public Duration lasts(long nanos) {
        return Duration.ofNanos(lease.silentAtNanos() - nanos);
    }

    /** The ttl of the record that the holder renews. */
    public Duration ttl() {
        return lease.ttl();
    }

    /** The last write of the holder, by the holder's clock. */
    public Optional<Instant> renewedAt() {
        return lease.renewed().map(LeaseRecord::renewedAt);
    }

    /** The latest past term, if the record contains it. */
    public Optional<PastTerm> lastPast() {
        return record().flatMap(found -> found.notes().past().stream().findFirst());
    }
}
