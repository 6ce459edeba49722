package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.text.DurationText;
import java.time.Duration;

/** An input of the ring machine. It contains both clocks, which the driver reads once per input. */
public sealed interface RingInput {

    Moment at();

    void accept(Cases cases);

    /** A visitor with one method for each input, so that the compiler finds a missing case. */
    interface Cases {
        void installed(Installed input);

        void received(Received input);

        void woken(Woken input);

        void resign(Resign input);

        void handOver(HandOver input);

        void save(Save input);

        void campaign(Campaign input);

        void withdraw(Withdraw input);

        void leave(Leave input);
    }

    /** The membership has installed a view. If this member is not in it, it was removed. */
    record Installed(Moment at, View view) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.installed(this);
        }
    }

    /** A message has arrived. The transport vouches for {@code from}. */
    record Received(Moment at, Member from, RingMessage message) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.received(this);
        }
    }

    /** The time that the last step asked for has come. Harmless at any other time. */
    record Woken(Moment at) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.woken(this);
        }
    }

    /** Step down if leading, and do not campaign for {@code cooldown}, 0 to 1 h. */
    record Resign(Moment at, Duration cooldown) implements RingInput {
        public Resign {
            checkCooldown(cooldown);
        }

        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    /** Hand over to the member of this id if leading, and do not campaign for {@code cooldown}, 0 to 1 h. */
    record HandOver(Moment at, String successor, Duration cooldown) implements RingInput {
        public HandOver {
            checkCooldown(cooldown);
        }

        @Override
        public void accept(Cases cases) {
            cases.handOver(this);
        }
    }

    /**
     * Save this state for the next leader. Ignored if the member does not lead in this term.
     *
     * @param term the counter of the term
     * @param version the number of the save, from 1; it rises
     */
    record Save(Moment at, long term, long version, SavedState state) implements RingInput {
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

    /** Throws if the cooldown is out of its bounds. */
    static void checkCooldown(Duration cooldown) {
        if (cooldown.isNegative() || cooldown.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "cooldown is " + DurationText.of(cooldown) + "; its bounds are 0 and 1 h");
        }
    }

    /** Campaign from now on, as a new member does. Ignored if the settings make the member an observer. */
    record Campaign(Moment at) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.campaign(this);
        }
    }

    /** Step down if leading, for this cause, and do not campaign until {@link Campaign}. Go on forwarding messages. */
    record Withdraw(Moment at, LossCause cause) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.withdraw(this);
        }
    }

    /** Step down if leading, and end. The driver must also leave the membership, or the others wait for this member. */
    record Leave(Moment at) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.leave(this);
        }
    }
}
