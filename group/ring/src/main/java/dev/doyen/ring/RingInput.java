package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.text.DurationText;
import java.time.Duration;

/**
 * An input of the ring machine. Each input contains the times of both clocks. The driver reads the clocks once per
 * input.
 */
public sealed interface RingInput {

    Moment at();

    void accept(Cases cases);

    /** A visitor with one method for each input. The compiler finds a missing method. */
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

    /**
     * The event that the membership has installed a view. If the view does not contain this member, the other members
     * have removed it.
     */
    record Installed(Moment at, View view) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.installed(this);
        }
    }

    /** The event that a message has arrived. The membership has identified the sender {@code from}. */
    record Received(Moment at, Member from, RingMessage message) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.received(this);
        }
    }

    /** The event that the wake time of the last step has been reached. Before that time, this input has no effect. */
    record Woken(Moment at) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.woken(this);
        }
    }

    /**
     * A command to step down if this member leads, and not to campaign for {@code cooldown}. The cooldown is 0 to 1 h.
     */
    record Resign(Moment at, Duration cooldown) implements RingInput {
        public Resign {
            checkCooldown(cooldown);
        }

        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    /**
     * A command to hand over to the member with this id, if this member leads. After the handover, this member does not
     * campaign for {@code cooldown}, which is 0 to 1 h.
     */
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
     * A command to save this state for the next leader. The machine ignores the command if the member does not lead in
     * this term.
     *
     * @param term the counter of the term
     * @param version the number of the save, which starts at 1 and rises
     */
    record Save(Moment at, long term, long version, SavedState state) implements RingInput {
        public Save {
            if (version < 1) {
                throw new IllegalArgumentException(
                        "a save has the number " + version + "; the numbers of saves start at 1");
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

    /**
     * A command to campaign from now on (rule R12). The machine ignores the command if the settings make the member an
     * observer.
     */
    record Campaign(Moment at) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.campaign(this);
        }
    }

    /**
     * A command to stop campaigning until {@link Campaign}. If this member leads, it steps down for this cause. The
     * member continues to forward messages.
     */
    record Withdraw(Moment at, LossCause cause) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.withdraw(this);
        }
    }

    /**
     * A command to leave the election. If this member leads, it steps down. The driver must also leave the membership.
     * Otherwise the other members wait for this member.
     */
    record Leave(Moment at) implements RingInput {
        @Override
        public void accept(Cases cases) {
            cases.leave(this);
        }
    }
}
