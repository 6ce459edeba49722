package dev.doyen.ring;

import dev.doyen.event.DurationText;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.time.Duration;

/** What can happen to a ring machine. Every input carries the clocks, read once by the driver as it came in. */
public sealed interface RingInput {

    Moment at();

    void accept(Cases cases);

    /** One method per input, so that a case forgotten does not compile. */
    interface Cases {
        void installed(Installed input);

        void received(Received input);

        void woken(Woken input);

        void resign(Resign input);

        void handOver(HandOver input);

        void kept(Kept input);

        void stand(Stand input);

        void standBack(StandBack input);

        void leave(Leave input);
    }

    /** The membership installed a view. It may come without this member in it: then this member was put out. */
    record Installed(Moment at, View view) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.installed(this);
        }
    }

    /** A message came. The transport vouches for {@code from}. */
    record Received(Moment at, Member from, RingMessage message) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.received(this);
        }
    }

    /** The moment came that the last step asked for, or any other: a wake too many does no harm. */
    record Woken(Moment at) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.woken(this);
        }
    }

    /** Stop leading if it leads, and do not stand for {@code cooldown}, 0 to 1 h. */
    record Resign(Moment at, Duration cooldown) implements RingInput {
        public Resign {
            checkCooldown(cooldown);
        }

        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    /** Stop leading if it leads, for the member of this id, and do not stand for {@code cooldown}, 0 to 1 h. */
    record HandOver(Moment at, String heir, Duration cooldown) implements RingInput {
        public HandOver {
            checkCooldown(cooldown);
        }

        @Override
        public void accept(Cases cases) {
            cases.handOver(this);
        }
    }

    /** What {@link RingEffect.Keep} asked for was done, or could not be. Owed once for each. */
    record Kept(Moment at, Term promise, boolean isKept) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.kept(this);
        }
    }

    private static void checkCooldown(Duration cooldown) {
        if (cooldown.isNegative() || cooldown.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "cooldown is " + DurationText.of(cooldown) + "; its bounds are 0 and 1 h");
        }
    }

    /** Be a candidate from now on, which a member is to begin with. Without effect for an observer by its settings. */
    record Stand(Moment at) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.stand(this);
        }
    }

    /** Stop leading if it leads, for this cause, and do not lead until {@link Stand}; pass messages on as before. */
    record StandBack(Moment at, LossCause cause) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.standBack(this);
        }
    }

    /** The end: stop leading, say no more. The membership is to be left as well, or the others wait for this member. */
    record Leave(Moment at) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.leave(this);
        }
    }
}
