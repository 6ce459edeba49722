package dev.doyen.lease;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Moment;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

    /** Watches only. */
    record Observing() implements Role {}

    /**
     * Wants to lead.
     *
     * @param notBeforeNanos no attempt before this: the cooldown after a resignation, or the pause after a failure
     */
    record Standing(Identity me, long notBeforeNanos) implements Role {}

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
     */
    record Leading(
            Grant grant,
            LeaseVersion version,
            Instant acquiredAt,
            long renewAtNanos,
            List<Attempt> unresolved,
            Wanted wanted,
            long saved,
            boolean inJeopardy)
            implements Role {

        public Leading {
            unresolved = List.copyOf(unresolved);
        }

        Leading wanting(Wanted next, long renewAt) {
            return new Leading(grant, version, acquiredAt, renewAt, unresolved, next, saved, inJeopardy);
        }

        /** After a write of one's own was confirmed: nothing older can still be stored, and nothing is in doubt. */
        Leading confirmed(Grant next, LeaseVersion stored, long renewAt, long savedNow) {
            return new Leading(next, stored, acquiredAt, renewAt, List.of(), wanted, savedNow, false);
        }

        /** After finding one's own term under a version one did not know: no reason to lead any longer than before. */
        Leading adopting(LeaseVersion stored, long renewAt) {
            return new Leading(grant, stored, acquiredAt, renewAt, List.of(), wanted, saved, inJeopardy);
        }

        /** After a write whose outcome is not known. */
        Leading doubting(List<Attempt> attempts, long renewAt) {
            return new Leading(grant, version, acquiredAt, renewAt, attempts, wanted, saved, true);
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
     */
    record Stopping(Identity me, long term, Optional<VersionedLease> mine, Next next) implements Role {

        Stopping holding(Optional<VersionedLease> held) {
            return new Stopping(me, term, held, next);
        }

        Stopping then(Next other) {
            return new Stopping(me, term, mine, other);
        }
    }

    /**
     * Gives the lease back.
     *
     * @param mine what to write the release over; empty while that must be looked up
     * @param giveUpAtNanos after this, expiry does the rest
     */
    record Releasing(Identity me, Optional<VersionedLease> mine, long giveUpAtNanos, Next next) implements Role {

        Releasing holding(Optional<VersionedLease> held) {
            return new Releasing(me, held, giveUpAtNanos, next);
        }

        Releasing then(Next other) {
            return new Releasing(me, mine, giveUpAtNanos, other);
        }
    }

    /** Ended. */
    record Gone() implements Role {}

    /** What comes after stopping and releasing. */
    sealed interface Next {
        record Stand(Identity me, long cooldownNanos) implements Next {}

        record Observe() implements Next {}

        record End() implements Next {}
    }
}
