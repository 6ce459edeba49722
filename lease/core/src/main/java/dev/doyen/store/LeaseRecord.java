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
 * @param election the election's name. The record contains the name so that a reader can detect the record of another
 *     election
 * @param holder the candidate's id; empty if nobody holds the lease
 * @param incarnation a value that no other candidate has, even under the same id (rule L10); empty if and only if
 *     {@code holder} is empty
 * @param term the fencing token, which rises with each new leadership and is never used twice; a release does not
 *     change it
 * @param nonce a value that is unique for each write of a candidate. If the answer to a write was lost, the candidate
 *     recognises its write by this value
 * @param ttl W, the time without a write of the holder after which followers may take over; at most
 *     {@link #NON_EXPIRING_TTL}
 * @param acquiredAt the time at which the holder acquired the lease, by the holder's wall clock; for people only
 * @param renewedAt the time of the last write, by the writer's wall clock. Writes of notes do not count. The election
 *     rules do not depend on this time
 * @param state the saved state for the next leader
 * @param stateVersion the number of saves since the record was created in the store, over all terms
 * @param epoch the epoch in which the lease was acquired (rule L12). The epoch is empty if the holder renews the lease
 *     itself, or if nobody holds the lease
 * @param notes the notes of the participants; safety does not depend on them
 * @param holdersNonce the nonce of the holder's last write, if another process has written notes after it; empty if the
 *     holder wrote this record (rule L2)
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
            throw new IllegalArgumentException(
                    "a lease without a holder has no incarnation, but this one has " + incarnation);
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
            // A much larger ttl would overflow a time in nanoseconds.
            ttl = NON_EXPIRING_TTL;
        }
        if (stateVersion < 0) {
            throw new IllegalArgumentException("stateVersion is " + stateVersion + "; it counts from 0");
        }
        Objects.requireNonNull(state);
        if (epoch.isPresent() && holder.isEmpty()) {
            throw new IllegalArgumentException("a lease without a holder has no epoch, but this one has " + epoch);
        }
    }

    /** Creates a record that the holder itself writes; {@code holdersNonce} is empty. */
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

    /** Creates a record without notes, for a lease that its holder renews itself. */
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

    /** Creates a record that has no holder, no saved state and no notes. */
    public static LeaseRecord unheld(String election, long term, String nonce, Duration ttl, Instant at) {
        return new LeaseRecord(election, "", "", term, nonce, ttl, at, at, SavedState.EMPTY, 0);
    }

    /**
     * Returns the same lease with other notes and a new nonce.
     *
     * <p>The result contains the nonce of the holder's last write. From this nonce, followers detect that the holder
     * has not written, and do not extend their wait (rule L2).
     */
    public LeaseRecord noting(LeaseNotes other, String ownNonce) {
        return with(ownNonce, other, Optional.of(holdersNonce.orElse(nonce)));
    }

    /** Returns the same record without the past terms in its notes. */
    public LeaseRecord withoutPast() {
        return with(nonce, notes.withoutPast(), holdersNonce);
    }

    private LeaseRecord with(String otherNonce, LeaseNotes otherNotes, Optional<String> otherHoldersNonce) {
        return new LeaseRecord(
                election,
                holder,
                incarnation,
                term,
                otherNonce,
                ttl,
                acquiredAt,
                renewedAt,
                state,
                stateVersion,
                epoch,
                otherNotes,
                otherHoldersNonce);
    }

    /**
     * Returns true if {@code later} differs from this record only by the notes of other processes.
     *
     * <p>Returns false if nobody holds the lease in this record.
     */
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

    /**
     * Returns true if {@link LeaseStore#prune} may delete this record.
     *
     * <p>The record of a session is never deleted (rule L12.3).
     */
    public boolean mayBeDeleted(Instant before, Instant savedBefore) {
        return !isHeld()
                && notes.areDone()
                && !ElectionNames.isInternal(election)
                && renewedAt.isBefore(state.isEmpty() ? before : savedBefore);
    }

    /** Returns true if this is a non-expiring lease, which ends when its record is deleted. */
    public boolean isNonExpiring() {
        return ttl.compareTo(NON_EXPIRING_TTL) >= 0;
    }

    /**
     * One term of one session record (rule L12). A lease that was acquired in an epoch ends with that epoch at the
     * latest.
     *
     * <p>The term alone does not identify an epoch, because each session record counts its own terms.
     *
     * @param session the name of the session record in the same store
     * @param term the session's term in which the lease was acquired. If the session record contains a higher term, the
     *     lease is free
     */
    public record Epoch(String session, long term) {
        public Epoch {
            ElectionNames.check("session", session);
            if (term < 1) {
                throw new IllegalArgumentException("the term of an epoch is " + term + "; terms start at 1");
            }
        }
    }
}
