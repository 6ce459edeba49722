package dev.doyen.roster;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.time.Duration;

/** What can happen to a roster machine. Every input carries the clocks, read once by the driver as it came in. */
public sealed interface RosterInput {

    Moment at();

    void accept(Cases cases);

    /** One method per input, so that a case forgotten does not compile. */
    interface Cases {
        void installed(Installed input);

        void received(Received input);

        void tick(Tick input);

        void resign(Resign input);

        void standBack(StandBack input);

        void stand(Stand input);

        void leave(Leave input);
    }

    /** The membership installed a view. It may come without this member in it: then this member was put out. */
    record Installed(Moment at, View view) implements RosterInput {
        @Override
        public void accept(Cases cases) {
            cases.installed(this);
        }
    }

    /** A message came. The membership vouches for {@code from}. */
    record Received(Moment at, Member from, RosterMessage message) implements RosterInput {
        @Override
        public void accept(Cases cases) {
            cases.received(this);
        }
    }

    /** The moment came that the last step asked for, or any other: a tick too many does no harm. */
    record Tick(Moment at) implements RosterInput {
        @Override
        public void accept(Cases cases) {
            cases.tick(this);
        }
    }

    /** Stop leading, and rest for the cooldown (K14), 0 to 1 h. Nothing happens if there is no claim. */
    record Resign(Moment at, Duration cooldown) implements RosterInput {
        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    /** Stop leading for this reason, and do not stand until {@link Stand}; answer as before (V9). */
    record StandBack(Moment at, LossCause reason) implements RosterInput {
        @Override
        public void accept(Cases cases) {
            cases.standBack(this);
        }
    }

    /** Stand from now on, which a member does to begin with. Without effect for one that only watches by its settings. */
    record Stand(Moment at) implements RosterInput {
        @Override
        public void accept(Cases cases) {
            cases.stand(this);
        }
    }

    /** The end: stop leading, say no more. The membership is to be left as well, or the others wait for this member. */
    record Leave(Moment at) implements RosterInput {
        @Override
        public void accept(Cases cases) {
            cases.leave(this);
        }
    }
}
