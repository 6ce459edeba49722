package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;

/** An effect of a step of the lease machine. The driver carries effects out in order. */
public sealed interface LeaseEffect {

    void accept(Cases cases);

    /** A visitor with one method for each effect. The compiler finds a missing case. */
    interface Cases {
        void read(Read effect);

        void write(Write effect);

        void report(Report effect);

        void blocked(Blocked effect);

        void saved(Saved effect);

        void settled(Settled effect);

        void ended(Ended effect);

        void fence(Fence effect);
    }

    /**
     * The driver must read the record. It answers with the input {@code ReadAnswered} or {@code ReadFailed}, with the
     * same request number.
     */
    record Read(long request) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.read(this);
        }
    }

    /**
     * The driver must write the record by compare-and-set, in one attempt.
     *
     * <p>The driver answers with the input {@code Answered}, with the same request number.
     */
    record Write(long request, RequestKind kind, LeaseVersion expected, LeaseRecord next) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.write(this);
        }
    }

    /**
     * The driver must report an event to the listeners.
     *
     * <p>If the event is {@code Lost}, the driver also stops the work, and answers with {@code WorkStopped} after the
     * work has stopped.
     */
    record Report(ElectionEvent event) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.report(this);
        }
    }

    /**
     * Another leader's lease has not expired, so this candidate cannot acquire it.
     *
     * <p>The machine emits this effect after each answer of the store that contains such a lease.
     */
    record Blocked(Leader by) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.blocked(this);
        }
    }

    /** The store has confirmed the saves up to this number. */
    record Saved(long save) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.saved(this);
        }
    }

    /**
     * The machine has carried out a {@code Resign}, {@code Withdraw}, {@code Leave} or {@code EligibilityChanged}
     * input.
     *
     * <p>The machine also emits this effect after the end of a term that no such input has ended, and when it stops
     * waiting for a release that takes too long.
     */
    record Settled() implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.settled(this);
        }
    }

    /**
     * The machine has ended after {@code Leave}. Further input has no effect.
     */
    record Ended() implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.ended(this);
        }
    }

    /**
     * The driver must pass {@code LeaseInput.Fence} to the machine that observes this session (rule L12).
     *
     * <p>While the session of the lease's holder is silent, the machine emits this effect at each step without a
     * request in flight, if its candidate may campaign.
     */
    record Fence(LeaseRecord.Epoch session) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.fence(this);
        }
    }
}
