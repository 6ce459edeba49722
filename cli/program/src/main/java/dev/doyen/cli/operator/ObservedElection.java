package dev.doyen.cli.operator;

import dev.doyen.event.Leader;
import dev.doyen.lease.ObservedLease;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of an election after an operator command has read it at least once.
 *
 * <p>The parameter {@code nanos} is a time by {@link System#nanoTime}.
 *
 * @param snapshot the latest read
 * @param lease the result of all reads, derived with the rules that candidates follow (L2, L12)
 */
public record ObservedElection(ElectionSnapshot snapshot, ObservedLease lease) {

    /** The possible states of an election. */
    public enum State {
        /** The election has no record, so no candidate has ever led. */
        NEVER_LED,
        /** The lease has no holder, or the session of the holder has ended. */
        FREE,
        /** The lease has a holder, but no write of the holder has been observed yet. */
        NAMED,
        /** The lease has a holder, and a write of the holder has been observed. */
        LED,
        /** The lease has a holder, but no write of the holder was observed for one ttl. */
        EXPIRED
    }

    /** Returns the state after the first read. */
    public static ObservedElection first(ElectionSnapshot snapshot, long nanos) {
        return new ObservedElection(snapshot, ObservedLease.NONE.seeing(snapshot.lease(), snapshot.session(), nanos));
    }

    /** Returns the state after another read. The answer of the read arrived at {@code nanos}. */
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

    /** Returns the holder; empty if the state is neither {@link State#NAMED} nor {@link State#LED}. */
    public Optional<Leader> leader(long nanos) {
        var state = state(nanos);
        return state == State.NAMED || state == State.LED ? holder() : Optional.empty();
    }

    /** Returns the holder in the record, even if the lease has expired. */
    public Optional<Leader> holder() {
        return record().filter(LeaseRecord::isHeld).map(held -> new Leader(held.holder(), held.term()));
    }

    public Optional<LeaseRecord> record() {
        return snapshot.record();
    }

    /** Returns the time since this observer first read the holder's latest write. */
    public Duration silentFor(long nanos) {
        return Duration.ofNanos(nanos - lease.lastWriteAtNanos());
    }

    /**
     * Returns the time until the lease expires if its holder writes nothing. The time is zero or negative if the
     * lease has expired.
     */
    public Duration lasts(long nanos) {
        return Duration.ofNanos(lease.silentAtNanos() - nanos);
    }

    /** Returns the ttl of the record that the holder renews. */
    public Duration ttl() {
        return lease.ttl();
    }

    /** Returns the time of the last write of the holder, by the holder's clock. */
    public Optional<Instant> renewedAt() {
        return lease.renewed().map(LeaseRecord::renewedAt);
    }

    /** Returns the latest past term; empty if the record contains none. */
    public Optional<LeaseNotes.PastTerm> lastPast() {
        return record().flatMap(found -> found.notes().past().stream().findFirst());
    }
}
