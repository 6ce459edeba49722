package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;

/** An effect of a step of the lease machine. The driver carries effects out in order. */
public sealed interface LeaseEffect {

    void accept(Cases cases);

    /** A visitor with one method for each effect, so that the compiler finds a missing case. */
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

    /** Read the record. The driver answers with {@code Looked} or {@code LookFailed} and the same request number. */
    record Read(long request) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.read(this);
        }
    }

    /**
     * Write the record by compare-and-set, in one attempt.
     *
     * <p>The driver answers with {@code Answered} and the same request number.
     */
    record Write(long request, LeaseVersion expected, LeaseRecord next) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.write(this);
        }
    }

    /**
     * Report an event to the listeners.
     *
     * <p>With {@code Lost} the driver also stops the work, and later answers with {@code WorkStopped}.
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
     * <p>Emitted after each read that shows it.
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

    /** The request by {@code Resign}, {@code Withdraw}, {@code Leave} or {@code Judged} is done, as far as possible. */
    record Settled() implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.settled(this);
        }
    }

    /** The machine has ended after {@code Leave}. It expects no more input, and further input has no effect. */
    record Ended() implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.ended(this);
        }
    }

    /**
     * Give {@code LeaseInput.Fence} to the observer of this session (rule L12).
     *
     * <p>Emitted at each step while the session is silent.
     */
    record Fence(Epoch session) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.fence(this);
        }
    }
}
