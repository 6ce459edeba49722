package dev.doyen.lease;

import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.health.Eligibility;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.VersionedLease;
import java.time.Duration;

/**
 * An input of the lease machine. Each input contains the time of both clocks, which the driver reads once per input.
 */
public sealed interface LeaseInput {

    Moment at();

    void accept(Cases cases);

    /** A visitor with one method for each input. The compiler finds a missing case. */
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

    /**
     * Time has passed. The driver passes this input at {@link LeaseStep#wakeAtNanos()}, and may pass it at any other
     * time.
     */
    record Woken(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.woken(this);
        }
    }

    /** The store has announced a possible change of the record. */
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
    record ReadFailed(Moment at, long request, StoreFault fault) implements LeaseInput {
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

    /** The machine must become a candidate under this identity. */
    record Campaign(Moment at, Identity identity) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.campaign(this);
        }
    }

    /**
     * The machine must become an observer again. If it leads, it first waits until its work has stopped, and releases
     * the lease.
     */
    record Withdraw(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.withdraw(this);
        }
    }

    /**
     * If the machine leads, it must step down, and must not campaign again for {@code cooldown}.
     *
     * @param term the term to resign from; 0 for any term
     * @param successor the id of the preferred successor; empty if there is none
     * @param by the author of the admin command; empty if no admin command causes this input
     * @param reason the text in the admin command; may be empty
     */
    record Resign(Moment at, long term, Duration cooldown, String successor, String by, String reason)
            implements LeaseInput {

        /** Creates an input that no admin command causes. */
        public Resign(Moment at, long term, Duration cooldown, String successor) {
            this(at, term, cooldown, successor, "", "");
        }

        boolean concerns(long led) {
            return term == 0 || term == led;
        }

        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    /** The machine must end. If it leads, it first waits until its work has stopped, and releases the lease. */
    record Leave(Moment at) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.leave(this);
        }
    }

    /** All work of {@code term} has stopped. The driver passes this input once after each {@code Lost}. */
    record WorkStopped(Moment at, long term) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.workStopped(this);
        }
    }

    /**
     * The machine must store {@code state} in the lease record for the next leader.
     *
     * <p>The numbers of the saves rise. A later save replaces the earlier saves that are not stored yet.
     */
    record Save(Moment at, long save, SavedState state) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.save(this);
        }
    }

    /** The eligibility of this candidate was evaluated. Its value can be the same as before. */
    record EligibilityChanged(Moment at, Eligibility eligibility) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.eligibilityChanged(this);
        }
    }

    /** A renewal of this process's session has failed (rule L12). So every lease under the session is in jeopardy. */
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
     * The machine must fence the observed session if it is silent (rule L12).
     *
     * <p>The session is silent if nobody has renewed it for its ttl. The fence ends {@code epoch}, and so frees the
     * leases that are held in that epoch. Only the machine that observes a session record receives this input.
     */
    record Fence(Moment at, long epoch) implements LeaseInput {
        @Override
        public void accept(Cases cases) {
            cases.fence(this);
        }
    }
}
