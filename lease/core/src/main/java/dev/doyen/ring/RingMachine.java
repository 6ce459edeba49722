package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;

/**
 * Decides a ring election for one member. A pure function of state and input.
 *
 * <p>The rules are in docs/spec/ring.md. This table lists the code that decides each of them:
 *
 * <pre>
 *  R1   ring positions                              View
 *  R2   views, and the first key of a round         Seating.installed, Rounds.enter
 *  R3   messages of other views                     Seating.received, Seating.hold
 *  R4   the greatest key wins                       ChangRoberts, Peterson, Key, RingOrder
 *  R5   lost messages                               ChangRoberts.retry, Rounds.giveUp
 *  R6   the elected message of the winner           Laps.win, Laps.lap
 *  R7   heartbeats                                  Laps.beat, Laps.received, Rounds.giveUp
 *  R8   pauses                                      Reign.remainingAt, Laps.enforceDeadline
 *  R9   a greater key or term ends a leadership     Laps.outrank, Laps.received, Laps.nacked
 *  R10  a member that is alone                      Rounds.begin
 *  R11  dropped messages                            Seating.received, Rounds.received
 *  R12  resigning, withdrawing, observing           Inbox.resign, Inbox.standBack, Key.stands, Laps.win
 *  R13  silent members                              RingTiming.checkSilence
 *  H1-H3  handover                                  Succession
 *  T1-T5  saved state                               StateTransfer, Laps.win, Reign.confirmedAgain
 * </pre>
 */
public final class RingMachine {

    private final RingSettings settings;

    public RingMachine(RingSettings settings) {
        this.settings = settings;
    }

    /** Returns the initial state: no view and no leader. */
    public RingState begin(Member me) {
        return RingState.begin(me);
    }

    /** Takes one input and returns the next state with its effects. One thread at a time for each state. */
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
