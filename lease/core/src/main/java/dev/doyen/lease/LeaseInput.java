package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.health.Eligibility;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.VersionedLease;
import java.time.Duration;

/** An input of the lease machine. It contains both clocks, which the driver reads once per input. */
public sealed interface LeaseInput {

    Moment at();

    void accept(Cases cases);

    /** A visitor with one method for each input, so that the compiler finds a missing case. */
    interface Cases {
        void woken(Woken input);

        void changeAnnounced(ChangeAnnounced input);

        void readAnswered(ReadAnswered input);

        void readFailed(ReadFailed input);

        void answered(Answered input);

        void campaign(Campaign input);

        void withdraw(Withdraw input);

        void resign(Resign input);

        void leave(Leave input);

        void workStopped(WorkStopped input);

        void save(Save input);

        void eligibilityChanged(EligibilityChanged input);

        void sessionDoubted(SessionDoubted input);

        void sessionRecovered(SessionRecovered input);

        void fence(Fence input);
    }

    /** Time has passed. Due at {@link LeaseStep#wakeAtNanos()}, harmless at any other time. */
    record Woken(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.woken(this);
        }
    }

    /** The store has announced that the record may have changed. */
    record ChangeAnnounced(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.changeAnnounced(this);
        }
    }

    /** The answer to {@link LeaseEffect.Read}. */
    record ReadAnswered(Moment at, long request, VersionedLease found) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.readAnswered(this);
        }
    }

    /** The report that a {@link LeaseEffect.Read} failed. */
    record ReadFailed(Moment at, long request) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.readFailed(this);
        }
    }

    /** The answer to {@link LeaseEffect.Write}. */
    record Answered(Moment at, long request, CasOutcome outcome) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.answered(this);
        }
    }

    /** Become a candidate under this identity. */
    record Campaign(Moment at, Identity identity) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.campaign(this);
        }
    }

    /** Become an observer again. First release the lease, after the work has stopped. */
    record Withdraw(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.withdraw(this);
        }
    }

    /**
     * Step down if leading, and do not campaign for {@code cooldown}.
     *
     * @param term the term to give up; 0 for any
     * @param successor the id of the preferred successor; empty if there is none
     */
    record Resign(Moment at, long term, Duration cooldown, String successor) implements LeaseInput {
        boolean concerns(long led) {
            return term == 0 || term == led;
        }

        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    /** End for good. First release the lease, after the work has stopped. */
    record Leave(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.leave(this);
        }
    }

    /** All work of {@code term} has stopped. Due once after each {@code Lost}. */
    record WorkStopped(Moment at, long term) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.workStopped(this);
        }
    }

    /**
     * Store {@code state} in the lease record for the next leader.
     *
     * <p>The numbers {@code save} rise. A later save replaces the earlier ones.
     */
    record Save(Moment at, long save, SavedState state) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.save(this);
        }
    }

    /** The eligibility of this candidate was evaluated, and may have changed. */
    record EligibilityChanged(Moment at, Eligibility eligibility) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.eligibilityChanged(this);
        }
    }

    /** A renewal of this process's session was missed, so every lease under it is in jeopardy (rule L12). */
    record SessionDoubted(Moment at, String reason) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.sessionDoubted(this);
        }
    }

    /** The session of this process was renewed after {@link SessionDoubted}. */
    record SessionRecovered(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.sessionRecovered(this);
        }
    }

    /**
     * Fence the observed session in {@code epoch} if it has been silent for its ttl (rule L12).
     *
     * <p>Only for the observer of a session record. The fence frees the elections that are held in that epoch.
     */
    record Fence(Moment at, long epoch) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.fence(this);
        }
    }
}
