package dev.doyen.lease;

import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.store.Epoch;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;

/** What a lease machine wants done, in this order. */
public sealed interface LeaseEffect {

    void accept(Cases cases);

    /** One method per effect, so that a case forgotten does not compile. */
    interface Cases {
        void look(Look effect);

        void write(Write effect);

        void tell(Tell effect);

        void blocked(Blocked effect);

        void saved(Saved effect);

        void settled(Settled effect);

        void ended(Ended effect);

        void fence(Fence effect);
    }

    /** Read the record; answer with {@code Looked} or {@code LookFailed} and the same request number. */
    record Look(long request) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.look(this);
        }
    }

    /** Compare-and-set the record, one attempt; answer with {@code Answered} and the same request number. */
    record Write(long request, LeaseVersion expected, LeaseRecord next) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.write(this);
        }
    }

    /** Tell the listeners. {@code Lost} also asks for the work to be stopped, and owes {@code WorkStopped}. */
    record Tell(ElectionEvent event) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.tell(this);
        }
    }

    /** Standing, but this leader's lease has not run out. Said after each look while it is so. */
    record Blocked(Leader by) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.blocked(this);
        }
    }

    /** The saves up to this number are stored. */
    record Saved(long save) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.saved(this);
        }
    }

    /** What was asked by {@code Resign}, {@code Withdraw} or {@code Leave} is done, as far as it can be. */
    record Settled() implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.settled(this);
        }
    }

    /** After {@code Leave}: no input is expected any more, and none will have an effect. */
    record Ended() implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.ended(this);
        }
    }

    /**
     * Give {@code LeaseInput.Fence} to whoever follows this session (rule L12). Said at each step while it is so.
     */
    record Fence(Epoch session) implements LeaseEffect {
        @Override
        public void accept(Cases cases) {
            cases.fence(this);
        }
    }
}
