package dev.doyen.lease;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Moment;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.VersionedLease;
import java.time.Duration;

/** What can happen to a lease machine. Every input carries the clocks, read once by the driver as it came in. */
public sealed interface LeaseInput {

    Moment at();

    void accept(Cases cases);

    /** One method per input, so that a case forgotten does not compile. */
    interface Cases {
        void woken(Woken input);

        void noticed(Noticed input);

        void looked(Looked input);

        void lookFailed(LookFailed input);

        void answered(Answered input);

        void stand(Stand input);

        void withdraw(Withdraw input);

        void resign(Resign input);

        void leave(Leave input);

        void workStopped(WorkStopped input);

        void save(Save input);

        void judged(Judged input);

        void sessionDoubted(SessionDoubted input);

        void sessionRecovered(SessionRecovered input);

        void fence(Fence input);
    }

    /** Time has passed; owed at {@link LeaseStep#wakeAtNanos()}, harmless at any other time. */
    record Woken(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.woken(this);
        }
    }

    /** The store says that the record may have changed. */
    record Noticed(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.noticed(this);
        }
    }

    /** The answer to {@link LeaseEffect.Look}. */
    record Looked(Moment at, long request, VersionedLease found) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.looked(this);
        }
    }

    /** A {@link LeaseEffect.Look} that brought nothing. */
    record LookFailed(Moment at, long request) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.lookFailed(this);
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
    record Stand(Moment at, Identity identity) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.stand(this);
        }
    }

    /** Be an observer again, releasing what is held once the work has stopped. */
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
     * @param heir the candidate to hand over to; empty for any
     */
    record Resign(Moment at, long term, Duration cooldown, String heir) implements LeaseInput {
        boolean concerns(long led) {
            return term == 0 || term == led;
        }

        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    /** End for good, releasing what is held once the work has stopped. */
    record Leave(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.leave(this);
        }
    }

    /** All work done under {@code term} has come to an end. Owed once after each {@code Lost}. */
    record WorkStopped(Moment at, long term) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.workStopped(this);
        }
    }

    /** Keep {@code state} under the lease. {@code save} numbers rise; a later save includes the earlier ones. */
    record Save(Moment at, long save, HandOverState state) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.save(this);
        }
    }

    /** This process's judgement of itself has changed. */
    record Judged(Moment at, Fitness fitness) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.judged(this);
        }
    }

    /** A renewal of one's own session was missed (rule L12): every lease under it is in jeopardy. */
    record SessionDoubted(Moment at, String reason) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.sessionDoubted(this);
        }
    }

    /** One's own session was renewed after all. */
    record SessionRecovered(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.sessionRecovered(this);
        }
    }

    /**
     * To an observer of a session's record (rule L12): end the session if it has been silent for its ttl, so that what
     * is held under it in {@code epoch} becomes free.
     */
    record Fence(Moment at, long epoch) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.fence(this);
        }
    }
}
