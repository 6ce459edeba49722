package dev.doyen.ring;

import dev.doyen.event.DurationText;
import dev.doyen.event.HandOverState;
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

        void save(Save input);

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

    /**
     * Give this state to the next leader. Without effect if the member does not lead in this term.
     *
     * @param term the counter of its term
     * @param version the number of the save, from 1; it rises
     */
    record Save(Moment at, long term, long version, HandOverState state) implements RingInput {
        public Save {
            if (version < 1) {
                throw new IllegalArgumentException("a save has the number " + version + "; they are counted from 1");
            }
        }

        @Override
        public void accept(Cases cases) {
            cases.save(this);
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
