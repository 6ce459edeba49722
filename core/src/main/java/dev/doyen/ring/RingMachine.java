package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;

/**
 * Decides a ring election for one member. Pure: everything it knows is in the state and the input.
 *
 * <p>The rules, whose full text is docs/spec/ring.md, and where each is decided:
 *
 * <pre>
 *  R1 order on the ring                         View
 *  R2 who begins, and with what                 Seating.installed, Rounds.enter
 *  R3 messages of other views                   Seating.received, Seating.hold
 *  R4 the contest                               ChangRoberts, Peterson, Key, RingOrder
 *  R5 what is lost is sent again                ChangRoberts.retry, Rounds.giveUp
 *  R6 the winner's lap                          Laps.win, Laps.elected
 *  R7 the leader's laps                         Laps.beat, Laps.received, Rounds.giveUp
 *  R8 pauses                                    Reign.remainingAt, Laps.enforceDeadline
 *  R9 a greater key or term ends a leadership   Laps.outrank, Laps.nacked
 *  R10 alone                                    Rounds.enter
 *  R11 what is dropped                          Seating.received, Rounds.received
 *  R12 resigning, standing back, observing      Inbox.resign, Inbox.standBack, Key.stands
 *  H1-H3 handing over                           Succession
 *  T1-T5 saved state                            StateTransfer, Laps.win, Reign.confirmedAgain
 * </pre>
 */
public final class RingMachine {

    private final RingSettings settings;

    public RingMachine(RingSettings settings) {
        this.settings = settings;
    }

    /** The state to begin with: no view, no leader. */
    public RingState begin(Member me) {
        return RingState.begin(me);
    }

    /** Takes one input. Called by one thread at a time for a state. */
    public RingStep step(RingState state, RingInput input) {
        Moment now = input.at();
        var turn = new RingTurn(settings, state, now);
        if (!turn.gone) {
            turn.laps.enforceDeadline();
            input.accept(new Inbox(turn));
        }
        return turn.finish();
    }
}
