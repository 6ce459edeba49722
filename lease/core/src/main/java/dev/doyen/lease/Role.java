package dev.doyen.lease;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The role of a machine in its election.
 *
 * <p>{@link Transitions} lists the possible changes.
 */
sealed interface Role {

    /** Returns the candidate that does not lead; empty if the machine leads, observes or has ended. */
    default Optional<Identity> candidate() {
        if (this instanceof Campaigning campaigning) {
            return Optional.of(campaigning.me());
        }
        if (this instanceof Stopping stopping) {
            return Optional.of(stopping.endedTerm().me());
        }
        return this instanceof Releasing releasing
                ? Optional.of(releasing.endedTerm().me())
                : Optional.empty();
    }

    /**
     * The machine observes and never leads.
     *
     * @param endEpoch if the machine observes a session record: the epoch to fence when the session has been silent for
     *     its ttl (rule L12); 0 for none
     * @param endNotBeforeNanos the earliest time of the next attempt to fence the session
     */
    record Observing(long endEpoch, long endNotBeforeNanos) implements Role {
        static final Observing ONLY = new Observing(0, 0);
    }

    /**
     * The machine is a candidate.
     *
     * @param notBeforeNanos the earliest time of the next acquire, which is delayed after a resignation, an expiry or a
     *     failed attempt
     * @param requestNotBeforeNanos the earliest time of the next step-down request (rule M5)
     * @param doubted the version that an acquire of unknown outcome expects; while the record has this version, the
     *     store can still carry out the acquire
     */
    record Campaigning(Identity me, long notBeforeNanos, long requestNotBeforeNanos, Optional<LeaseVersion> doubted)
            implements Role {
        Campaigning(Identity me, long notBeforeNanos) {
            this(me, notBeforeNanos, notBeforeNanos, Optional.empty());
        }
    }

    /**
     * The machine leads.
     *
     * @param version the version of the record that the next write must replace
     * @param acquiredAt the time of the acquire by the wall clock; for people only
     * @param renewAtNanos the time at which the next renewal is due
     * @param unresolved the writes of unknown outcome, oldest first; the store has possibly carried out some of them
     * @param desired the state to store with the next write
     * @param saved the number of the last confirmed save
     * @param inJeopardy true if a renewal has failed and the listeners were notified
     * @param epoch the epoch of the session that holds the lease (rule L12); empty if the leader renews the lease
     *     itself
     * @param notes the notes that the acquire wrote; each later write of this term repeats them with the present
     *     priority and generation
     */
    record Leading(
            LeaderLease leaderLease,
            LeaseVersion version,
            Instant acquiredAt,
            long renewAtNanos,
            List<Attempt> unresolved,
            DesiredState desired,
            long saved,
            boolean inJeopardy,
            Optional<LeaseRecord.Epoch> epoch,
            LeaseNotes notes)
            implements Role {

        public Leading {
            unresolved = List.copyOf(unresolved);
        }

        /** Returns a copy of this role, modified by {@code change}. */
        Leading with(Consumer<Change> change) {
            var next = new Change(this);
            change.accept(next);
            return new Leading(
                    next.leaderLease,
                    next.version,
                    acquiredAt,
                    next.renewAtNanos,
                    next.unresolved,
                    next.desired,
                    next.saved,
                    next.inJeopardy,
                    epoch,
                    notes);
        }

        /** Returns true if the lease is held under the present epoch of {@code session}. */
        boolean isUnder(OwnSession session) {
            return epoch.filter(session.epoch()::equals).isPresent();
        }

        /**
         * Returns true if the leader writes the record.
         *
         * <p>Without a session the result is always true. Under a session the leader writes only if a save or a write
         * of unknown outcome is pending (rule L12).
         */
        boolean writesRecord() {
            return epoch.isEmpty() || desired.save() > saved || !unresolved.isEmpty();
        }
    }

    /** The values of {@link Leading} that change within a term. */
    final class Change {
        LeaderLease leaderLease;
        LeaseVersion version;
        long renewAtNanos;
        List<Attempt> unresolved;
        DesiredState desired;
        long saved;
        boolean inJeopardy;

        private Change(Leading leading) {
            leaderLease = leading.leaderLease();
            version = leading.version();
            renewAtNanos = leading.renewAtNanos();
            unresolved = leading.unresolved();
            desired = leading.desired();
            saved = leading.saved();
            inJeopardy = leading.inJeopardy();
        }
    }

    /**
     * The saved state that the leader must store with its next write.
     *
     * @param save the number of the save that requested this state
     * @param version the state version that the record will contain
     */
    record DesiredState(SavedState state, long save, long version) {}

    /**
     * A write that was sent.
     *
     * @param sentAt both clocks just before the first attempt (rule L1)
     * @param save the number of the last save that the write includes
     */
    record Attempt(LeaseRecord record, Moment sentAt, long save) {}

    /**
     * The term has ended (rule L6). The machine waits until the work of the term has stopped.
     *
     * @param mine the record to release after the work has stopped; empty if this candidate does not hold it. It can be
     *     a missing record if the record was deleted (rule L12.6)
     * @param overlapAtNanos the earliest time at which the machine reports that another candidate leads while the work
     *     of this term still runs; empty after the report
     * @param releaseAtNanos the time at which the record is released even if the work still runs (rule L12.6); empty
     *     for a lease without a session, and after the release
     */
    record Stopping(
            EndedTerm endedTerm,
            Optional<VersionedLease> mine,
            OptionalLong overlapAtNanos,
            OptionalLong releaseAtNanos,
            Next next)
            implements Role {

        Stopping holding(Optional<VersionedLease> held) {
            return new Stopping(endedTerm, held, overlapAtNanos, releaseAtNanos, next);
        }

        Stopping then(Next other) {
            return new Stopping(endedTerm, mine, overlapAtNanos, releaseAtNanos, other);
        }

        Stopping overlapping() {
            return new Stopping(endedTerm, mine, OptionalLong.empty(), releaseAtNanos, next);
        }

        /** Returns the role after an attempt to release the record while the work still runs. */
        Stopping releasing(Optional<VersionedLease> held, OptionalLong againAtNanos) {
            return new Stopping(endedTerm, held, overlapAtNanos, againAtNanos, next);
        }
    }

    /**
     * The machine releases the lease.
     *
     * @param mine the record that the release replaces; empty until this record has been read
     * @param doubted the version that an acquire of unknown outcome expects; while the record has this version, the
     *     store can still carry out the acquire
     * @param giveUpAtNanos the time at which the machine stops waiting for the release, because the lease has then
     *     expired. A lease under a session does not expire, so the machine continues to repeat the release after this
     *     time
     */
    record Releasing(
            EndedTerm endedTerm,
            Optional<VersionedLease> mine,
            Optional<LeaseVersion> doubted,
            long giveUpAtNanos,
            Next next)
            implements Role {

        Releasing holding(Optional<VersionedLease> held) {
            return new Releasing(endedTerm, held, doubted, giveUpAtNanos, next);
        }

        Releasing then(Next other) {
            return new Releasing(endedTerm, mine, doubted, giveUpAtNanos, other);
        }

        /**
         * Returns this role with a later {@code giveUpAtNanos} and without the record. The machine must read the record
         * again before it repeats the release.
         */
        Releasing goingOn(long untilNanos) {
            return new Releasing(endedTerm, Optional.empty(), doubted, untilNanos, next);
        }
    }

    /**
     * A term that has ended.
     *
     * @param term the number of the term; 0 if the candidate never led in it, for example because the candidate
     *     withdrew while an acquire was in flight
     * @param end the cause of the end
     * @param successor the id of the preferred successor; empty if there is none
     * @param epoch the epoch of the session that holds the lease (rule L12); empty if the leader renewed the lease
     *     itself
     * @param by the author of the step-down request or the pause that ended the term (rules M1, M4); empty if the
     *     term ended for another reason
     * @param reason the text in this request or pause
     */
    record EndedTerm(
            Identity me,
            long term,
            LossCause end,
            String successor,
            Optional<LeaseRecord.Epoch> epoch,
            String by,
            String reason) {

        /** Creates a term that ended without a step-down request or pause in the record. */
        EndedTerm(Identity me, long term, LossCause end, String successor, Optional<LeaseRecord.Epoch> epoch) {
            this(me, term, end, successor, epoch, "", "");
        }
    }

    /** The machine has ended. */
    record Gone() implements Role {}

    /** The next role, after the work has stopped and the lease is released. */
    sealed interface Next {
        record Campaign(Identity me, long cooldownNanos) implements Next {}

        record Observe() implements Next {}

        record End() implements Next {}
    }
}
