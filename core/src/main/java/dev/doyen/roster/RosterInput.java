package dev.doyen.roster;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;

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

        void close(Close input);
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

    /** Stop leading, and rest for the cooldown (K14). */
    record Resign(Moment at) implements RosterInput {
        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    /** Stop leading for this reason and stand no more. This member goes on answering, or the others' rosters stay incomplete. */
    record Close(Moment at, LossCause reason) implements RosterInput {
        @Override
        public void accept(Cases cases) {
            cases.close(this);
        }
    }
}
