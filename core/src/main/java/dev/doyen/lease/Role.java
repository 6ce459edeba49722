package dev.doyen.lease;

import dev.doyen.event.HandOverState;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a machine is doing about its election. The transitions:
 *
 * <pre>
 *  Observing --stand--> Standing --acquire confirmed in time--> Leading
 *  Leading --deadline, conflict--> Stopping --work stopped--> Standing
 *  Leading --resign, withdraw, leave--> Stopping --work stopped--> Releasing --written, or given up--> Standing,
 *                                                                              Observing or Gone
 *  Standing --withdraw, leave--> Observing, Gone; by way of Releasing if an acquire is on its way (L6: latch)
 * </pre>
 */
sealed interface Role {

    /**
     * Watches only.
     *
     * @param endEpoch the session whose record this is shall be ended in this epoch, once it has been silent for W (rule
     *     L12); 0 if nobody wants that
     * @param endNotBeforeNanos no attempt at that before this: the pause after a failure
     */
    record Observing(long endEpoch, long endNotBeforeNanos) implements Role {
        static final Observing ONLY = new Observing(0, 0);
    }

    /**
     * Wants to lead.
     *
     * @param notBeforeNanos no attempt before this: the cooldown after a resignation, or the pause after a failure
     * @param askNotBeforeNanos nothing is asked of a leader before this (rule M5)
     * @param doubted the version over which an acquire of unknown outcome was sent: while the store holds that, it may
     *     still be carried out
     */
    record Standing(Identity me, long notBeforeNanos, long askNotBeforeNanos, Optional<LeaseVersion> doubted)
            implements Role {
        Standing(Identity me, long notBeforeNanos) {
            this(me, notBeforeNanos, notBeforeNanos, Optional.empty());
        }
    }

    /**
     * Leads.
     *
     * @param version the stored version of the last confirmed write
     * @param acquiredAt for display
     * @param renewAtNanos when the next renewal is due
     * @param unresolved writes whose answer is unknown, oldest first: any of them may turn out to be stored
     * @param wanted the state to be stored with the next write
     * @param saved the number of the last save confirmed
     * @param inJeopardy a renewal was missed, and listeners know
     * @param epoch the epoch of the session that the lease is held under (rule L12); empty if it is renewed by itself
     * @param notes what every write of this term carries on
     */
    record Leading(
            Grant grant,
            LeaseVersion version,
            Instant acquiredAt,
            long renewAtNanos,
            List<Attempt> unresolved,
            Wanted wanted,
            long saved,
            boolean inJeopardy,
            Optional<Epoch> epoch,
            LeaseNotes notes)
            implements Role {

        public Leading {
            unresolved = List.copyOf(unresolved);
        }

        Leading wanting(Wanted next, long renewAt) {
            return new Leading(grant, version, acquiredAt, renewAt, unresolved, next, saved, inJeopardy, epoch, notes);
        }

        /** The role after a confirmed write: nothing older can still be stored, and nothing is in doubt. */
        Leading confirmed(Grant next, LeaseVersion stored, long renewAt, long savedNow, boolean doubted) {
            return new Leading(next, stored, acquiredAt, renewAt, List.of(), wanted, savedNow, doubted, epoch, notes);
        }

        /** The role after this term was found under an unknown version. The deadline stays as it was. */
        Leading adopting(LeaseVersion stored, long renewAt) {
            return new Leading(grant, stored, acquiredAt, renewAt, List.of(), wanted, saved, inJeopardy, epoch, notes);
        }

        /** After a write whose outcome is not known. */
        Leading doubting(List<Attempt> attempts, long renewAt, boolean doubted) {
            return new Leading(grant, version, acquiredAt, renewAt, attempts, wanted, saved, doubted, epoch, notes);
        }

        /** After a look: others may have written notes into the record. */
        Leading at(LeaseVersion stored) {
            return new Leading(
                    grant, stored, acquiredAt, renewAtNanos, unresolved, wanted, saved, inJeopardy, epoch, notes);
        }

        /** After the session that the lease is held under came into doubt, or out of it. */
        Leading inJeopardy(boolean doubted) {
            return new Leading(
                    grant, version, acquiredAt, renewAtNanos, unresolved, wanted, saved, doubted, epoch, notes);
        }

        /** True if the lease is held under the present epoch of {@code session}. */
        boolean isUnder(OwnSession session) {
            return epoch.filter(session.epoch()::equals).isPresent();
        }

        /** True if something is to be stored besides the passing of time, or was and may not have been. */
        boolean isWriting() {
            return wanted.save() > saved || !unresolved.isEmpty();
        }
    }

    /**
     * The hand-over state to be stored.
     *
     * @param save the number of the save that asked for it
     * @param version as it will be stored
     */
    record Wanted(HandOverState state, long save, long version) {}

    /**
     * One write that was sent.
     *
     * @param sentAt the clocks just before its first attempt (rule L1)
     * @param save the last save that it includes
     */
    record Attempt(LeaseRecord record, Moment sentAt, long save) {}

    /**
     * The term is finished, whatever answers may still come in (L6: latch); its work is being stopped.
     *
     * @param mine what to release once the work has stopped; empty if it is not ours to release
     * @param overlapAtNanos from when on another leader, if one is seen, is told of as an overlap; empty once it was
     * @param releaseAtNanos when the record is released although the work goes on (rule L12.6); empty for a lease that
     *     expires by itself, and once the record is released
     */
    record Stopping(
            Tenancy tenancy,
            Optional<VersionedLease> mine,
            OptionalLong overlapAtNanos,
            OptionalLong releaseAtNanos,
            Next next)
            implements Role {

        Stopping holding(Optional<VersionedLease> held) {
            return new Stopping(tenancy, held, overlapAtNanos, releaseAtNanos, next);
        }

        Stopping then(Next other) {
            return new Stopping(tenancy, mine, overlapAtNanos, releaseAtNanos, other);
        }

        Stopping overlapping() {
            return new Stopping(tenancy, mine, OptionalLong.empty(), releaseAtNanos, next);
        }

        /** After an attempt to release the record although the work goes on. */
        Stopping releasing(Optional<VersionedLease> held, OptionalLong againAtNanos) {
            return new Stopping(tenancy, held, overlapAtNanos, againAtNanos, next);
        }
    }

    /**
     * Releases the lease.
     *
     * @param mine what to write the release over; empty while that must be read first
     * @param doubted while the store holds this version, an acquire sent earlier may still be carried out
     * @param giveUpAtNanos after this, expiry does the rest; under a session, which does not expire, the attempts go on
     */
    record Releasing(
            Tenancy tenancy,
            Optional<VersionedLease> mine,
            Optional<LeaseVersion> doubted,
            long giveUpAtNanos,
            Next next)
            implements Role {

        Releasing holding(Optional<VersionedLease> held) {
            return new Releasing(tenancy, held, doubted, giveUpAtNanos, next);
        }

        Releasing then(Next other) {
            return new Releasing(tenancy, mine, doubted, giveUpAtNanos, other);
        }

        /** Tries for longer, after reading what the store holds now. */
        Releasing goingOn(long untilNanos) {
            return new Releasing(tenancy, Optional.empty(), doubted, untilNanos, next);
        }
    }

    /**
     * A term that has ended.
     *
     * @param term 0 if it was never begun: an acquire was on its way when the candidate withdrew
     * @param end why
     * @param heir whom the leader wants to be followed by; empty for whoever comes
     * @param epoch the epoch of the session that the lease is held under (rule L12); empty if it is renewed by itself
     */
    record Tenancy(Identity me, long term, LossCause end, String heir, Optional<Epoch> epoch) {}

    /** Ended. */
    record Gone() implements Role {}

    /** What comes after stopping and releasing. */
    sealed interface Next {
        record Stand(Identity me, long cooldownNanos) implements Next {}

        record Observe() implements Next {}

        record End() implements Next {}
    }
}
