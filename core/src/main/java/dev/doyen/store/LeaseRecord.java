package dev.doyen.store;

import dev.doyen.event.HandOverState;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The stored lease: one compare-and-set unit.
 *
 * @param election the election's name, kept inside so that a record is never mistaken for another's
 * @param holder the candidate's id; empty if nobody holds the lease
 * @param incarnation unique per start of the holder (rule L10); empty exactly if the holder is
 * @param term rises at each change of holder, never reused, kept when the lease is released
 * @param nonce unique per write, so that its author recognises a write whose answer was lost
 * @param ttl how long followers wait without seeing a change before they take over (W); cut to {@link #FOR_LIFE}
 * @param acquiredAt when the holder took the lease, by its wall clock: for display only
 * @param renewedAt when this record was written, by its wall clock: for display only
 * @param state what the leader left for the next one
 * @param stateVersion counts the saves of {@code state} over all terms
 * @param epoch the epoch of the session that the lease is held under (rule L12); empty for a lease that is renewed by
 *     itself, and while nobody holds it
 * @param notes what the participants tell each other; no rule of safety reads it
 * @param holdersNonce the nonce of the holder's own last write, if somebody else has written notes since; else empty
 */
public record LeaseRecord(
        String election,
        String holder,
        String incarnation,
        long term,
        String nonce,
        Duration ttl,
        Instant acquiredAt,
        Instant renewedAt,
        HandOverState state,
        long stateVersion,
        Optional<Epoch> epoch,
        LeaseNotes notes,
        Optional<String> holdersNonce) {

    /** The ttl of a lease that does not run out: longer than anybody waits. */
    public static final Duration FOR_LIFE = Duration.ofDays(3650);

    public LeaseRecord {
        ElectionNames.check("election", election);
        if (!holder.isEmpty()) {
            ElectionNames.check("holder", holder);
            ElectionNames.check("incarnation", incarnation);
        } else if (!incarnation.isEmpty()) {
            throw new IllegalArgumentException("a lease nobody holds has no incarnation, but this has " + incarnation);
        }
        ElectionNames.check("nonce", nonce);
        holdersNonce.ifPresent(holders -> ElectionNames.check("holdersNonce", holders));
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
        if (ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("ttl is " + ttl + "; it must be positive");
        }
        if (ttl.compareTo(FOR_LIFE) > 0) {
            // Nobody waits that long, and clocks cannot count much longer.
            ttl = FOR_LIFE;
        }
        if (stateVersion < 0) {
            throw new IllegalArgumentException("stateVersion is " + stateVersion + "; it counts from 0");
        }
        Objects.requireNonNull(state);
        if (epoch.isPresent() && holder.isEmpty()) {
            throw new IllegalArgumentException("a lease that nobody holds has no epoch, but this has " + epoch);
        }
    }

    /** As its holder writes it. */
    public LeaseRecord(
            String election,
            String holder,
            String incarnation,
            long term,
            String nonce,
            Duration ttl,
            Instant acquiredAt,
            Instant renewedAt,
            HandOverState state,
            long stateVersion,
            Optional<Epoch> epoch,
            LeaseNotes notes) {
        this(
                election,
                holder,
                incarnation,
                term,
                nonce,
                ttl,
                acquiredAt,
                renewedAt,
                state,
                stateVersion,
                epoch,
                notes,
                Optional.empty());
    }

    /** A lease that is renewed by itself, without notes. */
    public LeaseRecord(
            String election,
            String holder,
            String incarnation,
            long term,
            String nonce,
            Duration ttl,
            Instant acquiredAt,
            Instant renewedAt,
            HandOverState state,
            long stateVersion) {
        this(
                election,
                holder,
                incarnation,
                term,
                nonce,
                ttl,
                acquiredAt,
                renewedAt,
                state,
                stateVersion,
                Optional.empty(),
                LeaseNotes.NONE);
    }

    /** The record of an election that nobody leads, in a store that had none. */
    public static LeaseRecord unheld(String election, long term, String nonce, Duration ttl, Instant at) {
        return new LeaseRecord(election, "", "", term, nonce, ttl, at, at, HandOverState.EMPTY, 0);
    }

    /** The same lease with other notes, as a write of its own, which is no sign of life of the holder's. */
    public LeaseRecord noting(LeaseNotes other, String ownNonce) {
        return new LeaseRecord(
                election,
                holder,
                incarnation,
                term,
                ownNonce,
                ttl,
                acquiredAt,
                renewedAt,
                state,
                stateVersion,
                epoch,
                other,
                Optional.of(holdersNonce.orElse(nonce)));
    }

    /** True if {@code later} has notes that this has not, and its holder has written nothing in between. */
    public boolean isOnlyNotedIn(LeaseRecord later) {
        return isHeld()
                && later.holder.equals(holder)
                && later.incarnation.equals(incarnation)
                && later.term == term
                && later.holdersNonce.orElse(later.nonce).equals(holdersNonce.orElse(nonce));
    }

    public boolean isHeld() {
        return !holder.isEmpty();
    }

    /** True if this lease ends when its record is deleted, and not by silence. */
    public boolean isForLife() {
        return ttl.compareTo(FOR_LIFE) >= 0;
    }
}
