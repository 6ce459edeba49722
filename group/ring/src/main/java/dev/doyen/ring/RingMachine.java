package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;

/**
 * Decides a ring election for one member. The machine is a pure function of state and input.
 *
 * <p>The rules are in docs/spec/ring.md. This table lists the code that decides each rule:
 *
 * <pre>
 *  R1   ring positions                              View
 *  R2   views, and the first key of a round         ViewChanges.installed, Rounds.enter
 *  R3   messages of other views                     ViewChanges.received, ViewChanges.hold
 *  R4   the greatest key wins                       ChangRoberts, Peterson, Key, RingOrder
 *  R5   lost messages                               ChangRoberts.retry, Rounds.giveUp
 *  R6   the elected message of the winner           Rounds.win, LeaderHeartbeats.lead
 *  R7   heartbeats                                  LeaderHeartbeats.sendIfDue, LeaderHeartbeats.received,
 *                                                   Rounds.giveUp
 *  R8   pauses                                      LeaderState.remainingAt, LeaderHeartbeats.enforceDeadline
 *  R9   a greater key or term ends a leadership     LeaderHeartbeats.outrank, LeaderHeartbeats.received,
 *                                                   LeaderHeartbeats.nacked
 *  R10  a member that is alone                      Rounds.begin
 *  R11  dropped messages                            ViewChanges.received, Rounds.received
 *  R12  resigning, withdrawing, observing           RingInputHandler.resign, RingInputHandler.withdraw,
 *                                                   Key.campaigns, Rounds.win
 *  R13  silent members                              RingTiming.checkSilence
 *  H1-H3  handover                                  Succession
 *  T1-T5  saved state                               StateTransfer, LeaderHeartbeats.lead, LeaderState.confirmedAgain
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

    /**
     * Takes one input and returns the next state with its effects. The caller must pass the inputs of a member one at a
     * time, each with the state after the previous input.
     *
     * @throws IllegalStateException if the phase changes in a way that {@link RingTransitions} does not contain
     */
    public RingStep step(RingState state, RingInput input) {
        Moment now = input.at();
        var step = new RingStepContext(settings, state, now);
        if (!step.gone) {
            var rules = new RingInputHandler(step);
            RingPhase before = RingPhase.of(step);
            rules.enforceDeadline();
            RingPhase inTime = RingPhase.of(step);
            RingTransitions.check(before, RingInput.Woken.class, inTime);
            input.accept(rules);
            RingTransitions.check(inTime, kind(input), RingPhase.of(step));
            rules.finish();
        }
        return step.finish();
    }

    private static Class<?> kind(RingInput input) {
        return input instanceof RingInput.Received received ? received.message().getClass() : input.getClass();
    }
}
