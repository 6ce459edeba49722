package dev.doyen.store;

import dev.doyen.event.SavedState;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The stored lease, which a compare-and-set replaces as a whole.
 *
 * @param election the election's name. The record contains it so that no record is taken for another election's
 * @param holder the candidate's id; empty if nobody holds the lease
 * @param incarnation unique for each start of the holder (rule L10); empty exactly if {@code holder} is empty
 * @param term rises with each new leadership and is never used twice; a release keeps it
 * @param nonce unique for each write, so that its author recognises a write whose answer was lost
 * @param ttl W: how long followers wait without seeing a change before they take over; at most {@link #NON_EXPIRING_TTL}
 * @param acquiredAt when the holder acquired the lease, by its wall clock; for people only
 * @param renewedAt when this record was written, by the writer's wall clock; for people only
 * @param state the saved state for the next leader
 * @param stateVersion counts the saves of {@code state} over all terms
 * @param epoch the epoch in which the lease was acquired (rule L12). Empty if the holder renews the lease by itself,
 *     and if nobody holds it
 * @param notes what the participants leave for each other; safety does not depend on it
 * @param holdersNonce the nonce of the holder's own last write, if somebody else has written notes since; otherwise
 *     empty (rule L2)
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
        SavedState state,
        long stateVersion,
        Optional<Epoch> epoch,
        LeaseNotes notes,
        Optional<String> holdersNonce) {

    /** The ttl of a non-expiring lease. */
    public static final Duration NON_EXPIRING_TTL = Duration.ofDays(3650);

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
        if (ttl.compareTo(NON_EXPIRING_TTL) > 0) {
            // Nobody waits that long, and much larger values would overflow the clocks.
            ttl = NON_EXPIRING_TTL;
        }
        if (stateVersion < 0) {
            throw new IllegalArgumentException("stateVersion is " + stateVersion + "; it counts from 0");
        }
        Objects.requireNonNull(state);
        if (epoch.isPresent() && holder.isEmpty()) {
            throw new IllegalArgumentException("a lease that nobody holds has no epoch, but this has " + epoch);
        }
    }

    /** Creates a record that its holder writes. */
    public LeaseRecord(
            String election,
            String holder,
            String incarnation,
            long term,
            String nonce,
            Duration ttl,
            Instant acquiredAt,
            Instant renewedAt,
            SavedState state,
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

    /** Creates a record without notes, for a lease that its holder renews by itself. */
    public LeaseRecord(
            String election,
            String holder,
            String incarnation,
            long term,
            String nonce,
            Duration ttl,
            Instant acquiredAt,
            Instant renewedAt,
            SavedState state,
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

    /** Creates the first record of an election, which nobody holds. */
    public static LeaseRecord unheld(String election, long term, String nonce, Duration ttl, Instant at) {
        return new LeaseRecord(election, "", "", term, nonce, ttl, at, at, SavedState.EMPTY, 0);
    }

    /**
     * Returns the same lease with other notes and a new nonce.
     *
     * <p>It keeps the nonce of the holder's last write, so that the write does not count as a sign of life (rule L2).
     */
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

    /** Returns true if the holder has written nothing between this record and {@code later}. */
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

    /** Returns true if this is a non-expiring lease, which ends when its record is deleted. */
    public boolean isNonExpiring() {
        return ttl.compareTo(NON_EXPIRING_TTL) >= 0;
    }
}
