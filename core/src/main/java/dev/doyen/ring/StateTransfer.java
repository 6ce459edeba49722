package dev.doyen.ring;

import dev.doyen.event.HandOverState;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.Why;

/** Takes the leader's saved state to all members, and to the next leader: rules T1 to T5. */
final class StateTransfer {

    private final RingTurn turn;

    StateTransfer(RingTurn turn) {
        this.turn = turn;
    }

    /** T1: the leader of this term saves a state. The heartbeat with it goes at once, unless one with an earlier state is out. */
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

    /** T2: keeps what a heartbeat brings. */
    void received(RingMessage.OfLeader lap) {
        lap.saved().ifPresent(saved -> turn.saved = turn.saved.orNewer(saved));
    }

    /** T3: a heartbeat with a state has come home, so all members of the view have that state. */
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
     * T4: the winner of a round asks for a newer state than its own, and does not lead before it has that.
     *
     * @return whether it waits
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

    /** Answers the winner of a round. */
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

    /** The winner of a round has what it waited for, and leads. */
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
