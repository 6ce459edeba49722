package dev.doyen.ring;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.Why;

/** Brings the leader's saved state to all members, and to the next leader (T1 to T5). */
final class StateTransfer {

    private final RingTurn turn;

    StateTransfer(RingTurn turn) {
        this.turn = turn;
    }

    /**
     * Saves a state in this term, if this member leads in it (rule T1).
     *
     * <p>The heartbeat with the state goes out at once, unless a heartbeat with an earlier state is under way.
     */
    void save(long term, long version, HandOverState state) {
        Reign reign = turn.reign;
        if (reign == null
                || reign.term().counter() != term
                || version <= turn.saved.id().version()) {
            return;
        }
        turn.saved = new SavedState(new SavedState.Id(reign.term(), version), state);
        turn.reign = reign.withUnconfirmedState();
        if (!reign.sendsState() && turn.laps.beats()) {
            turn.laps.lap(turn.reign, false);
        }
    }

    /** Keeps the state in a heartbeat, if it is newer (rule T2). */
    void received(RingMessage.OfLeader lap) {
        lap.saved().ifPresent(saved -> turn.saved = turn.saved.orNewer(saved));
    }

    /** Completes the saves up to this state, whose heartbeat has returned from all members (rule T3). */
    void returned(SavedState.Id state) {
        Reign reign = turn.reign;
        if (reign == null || !reign.sendsState()) {
            return;
        }
        if (state.version() > 0) {
            turn.effect(new RingEffect.Saved(state.version()));
        }
        if (state.equals(turn.saved.id())) {
            turn.reign = reign.withConfirmedState();
        } else if (turn.laps.beats()) {
            turn.laps.lap(reign, false);
        }
    }

    /**
     * Requests a saved state that is newer than this winner's own (rule T4).
     *
     * @return true if the winner must wait for the state before it leads
     */
    boolean awaits(RoundState round, Moment sentAt, Passed passed) {
        SavedState.Location newest = passed.newest();
        Seat seat = turn.seat;
        Member holder = newest.holder();
        if (seat == null || holder == null || !newest.id().isAfter(turn.saved.id())) {
            return false;
        }
        turn.round = round.awaiting(new RoundState.Awaited(sentAt, passed));
        turn.effect(new Send(holder, new RingMessage.StateRequest(seat.view().id())));
        return true;
    }

    /** Answers the winner of a round with this member's saved state. */
    void requested(Member from, RingMessage.StateRequest request) {
        Seat seat = turn.seat;
        if (seat == null
                || !seat.view().id().equals(request.view())
                || !seat.view().has(from)) {
            turn.seating.drop(from, request, Why.PAST);
            return;
        }
        turn.effect(new Send(from, new RingMessage.StateResponse(request.view(), turn.saved)));
    }

    /** Processes the answer for which the winner of a round waits. The winner then leads. */
    void answered(Member from, RingMessage.StateResponse response) {
        Seat seat = turn.seat;
        RoundState round = turn.round;
        RoundState.Awaited awaited = round == null ? null : round.awaited();
        if (seat == null
                || awaited == null
                || !seat.view().id().equals(response.view())
                || !from.equals(awaited.passed().newest().holder())
                || awaited.passed().newest().id().isAfter(response.saved().id())) {
            turn.seating.drop(from, response, Why.PAST);
            return;
        }
        turn.saved = turn.saved.orNewer(response.saved());
        turn.laps.win(awaited.sentAt(), awaited.passed());
    }
}
