package dev.doyen.lease;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.store.Epoch;
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

    /**
     * The machine observes and never leads.
     *
     * @param endEpoch the epoch to fence after the observed session has been silent for W (rule L12); 0 for none
     * @param endNotBeforeNanos the earliest time of the next fence, after a failed attempt
     */
    record Observing(long endEpoch, long endNotBeforeNanos) implements Role {
        static final Observing ONLY = new Observing(0, 0);
    }

    /**
     * The machine is a candidate.
     *
     * @param notBeforeNanos the earliest time of the next acquire, after a resignation or a failed attempt
     * @param askNotBeforeNanos the earliest time of the next step-down request (rule M5)
     * @param doubted the version over which an acquire of unknown outcome was sent; while the store has this version,
     *     it may still carry out the acquire
     */
    record Campaigning(Identity me, long notBeforeNanos, long askNotBeforeNanos, Optional<LeaseVersion> doubted)
            implements Role {
        Campaigning(Identity me, long notBeforeNanos) {
            this(me, notBeforeNanos, notBeforeNanos, Optional.empty());
        }
    }

    /**
     * The machine leads.
     *
     * @param version the stored version of the last confirmed write
     * @param acquiredAt for display
     * @param renewAtNanos when the next renewal is due
     * @param unresolved writes of unknown outcome, oldest first; the store may have any of them
     * @param wanted the state to store with the next write
     * @param saved the number of the last confirmed save
     * @param inJeopardy true if a renewal was missed and listeners were told
     * @param epoch the epoch of the session that holds the lease (rule L12); empty if the leader renews the lease
     *     itself
     * @param notes the notes that each write of this term contains
     */
    record Leading(
            LeaderLease leaderLease,
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

        /** Returns a copy that {@code change} has modified. */
        Leading with(Consumer<Change> change) {
            var next = new Change(this);
            change.accept(next);
            return new Leading(
                    next.leaderLease,
                    next.version,
                    acquiredAt,
                    next.renewAtNanos,
                    next.unresolved,
                    next.wanted,
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
         * <p>Under a session it only writes saves (rule L12), and it repeats a write of unknown outcome.
         */
        boolean writesRecord() {
            return epoch.isEmpty() || wanted.save() > saved || !unresolved.isEmpty();
        }
    }

    /** The values of {@link Leading} that change within a term. */
    final class Change {
        LeaderLease leaderLease;
        LeaseVersion version;
        long renewAtNanos;
        List<Attempt> unresolved;
        Wanted wanted;
        long saved;
        boolean inJeopardy;

        private Change(Leading leading) {
            leaderLease = leading.leaderLease();
            version = leading.version();
            renewAtNanos = leading.renewAtNanos();
            unresolved = leading.unresolved();
            wanted = leading.wanted();
            saved = leading.saved();
            inJeopardy = leading.inJeopardy();
        }
    }

    /**
     * The saved state that the leader wants to store.
     *
     * @param save the number of the save that asked for it
     * @param version the number that the record will contain
     */
    record Wanted(SavedState state, long save, long version) {}

    /**
     * A write that was sent.
     *
     * @param sentAt both clocks just before the first attempt (rule L1)
     * @param save the number of the last save that it includes
     */
    record Attempt(LeaseRecord record, Moment sentAt, long save) {}

    /**
     * The term has ended and no answer revives it (rule L6). Its work is being stopped.
     *
     * @param mine the record to release after the work has stopped; empty if this candidate does not hold it
     * @param overlapAtNanos from when to report another leader as an overlap; empty after the report
     * @param releaseAtNanos when to release the record although the work still runs (rule L12.6); empty for a lease
     *     that expires, and after the release
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

        /** Returns the role after an attempt to release the record although the work still runs. */
        Stopping releasing(Optional<VersionedLease> held, OptionalLong againAtNanos) {
            return new Stopping(endedTerm, held, overlapAtNanos, againAtNanos, next);
        }
    }

    /**
     * The machine releases the lease.
     *
     * @param mine the record to write the release over; empty until it has been read
     * @param doubted while the store has this version, it may still carry out an earlier acquire
     * @param giveUpAtNanos when to stop trying, because the lease expires; under a session the attempts go on
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

        /** Returns the role with a later deadline for the release. It reads the record again first. */
        Releasing goingOn(long untilNanos) {
            return new Releasing(endedTerm, Optional.empty(), doubted, untilNanos, next);
        }
    }

    /**
     * A term that has ended.
     *
     * @param term 0 if it never began, because the candidate withdrew while an acquire was in flight
     * @param end the cause
     * @param successor the id of the preferred successor; empty if there is none
     * @param epoch the epoch of the session that holds the lease (rule L12); empty if the leader renewed the lease
     *     itself
     * @param by who asked this leader to step down or paused the election (rules M1, M4); empty if nobody did
     * @param reason the text in that request or pause
     */
    record EndedTerm(
            Identity me, long term, LossCause end, String successor, Optional<Epoch> epoch, String by, String reason) {

        /** Creates a term that this process has ended by itself. */
        EndedTerm(Identity me, long term, LossCause end, String successor, Optional<Epoch> epoch) {
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
