package dev.doyen.ring;

import dev.doyen.event.LossCause;

/** Passes each input to the rule that decides it. */
final class Inbox implements RingInput.Cases {

    private final RingTurn turn;

    Inbox(RingTurn turn) {
        this.turn = turn;
    }

    @Override
    public void installed(RingInput.Installed input) {
        turn.seating.installed(input.view());
    }

    @Override
    public void received(RingInput.Received input) {
        turn.seating.received(input.from(), input.message());
    }

    @Override
    public void woken(RingInput.Woken input) {
        turn.seating.forgetOld();
        turn.rounds.woken();
        turn.succession.woken();
        turn.laps.doubt();
        turn.laps.beat();
    }

    @Override
    public void resign(RingInput.Resign input) {
        turn.abstains = true;
        turn.standsAtNanos = turn.now.nanos() + input.cooldown().toNanos();
        stop(LossCause.RESIGNED);
    }

    @Override
    public void handOver(RingInput.HandOver input) {
        turn.succession.handOver(input.heir(), input.cooldown());
    }

    @Override
    public void save(RingInput.Save input) {
        turn.states.save(input.term(), input.version(), input.state());
    }

    /** Stops leading and opens the next round, in which the others elect. */
    private void stop(LossCause cause) {
        if (turn.reign != null) {
            turn.laps.stepDown(cause);
            turn.rounds.openNext();
        }
    }

    @Override
    public void stand(RingInput.Stand input) {
        turn.willing = true;
        turn.rounds.openIfNobodyLeads();
    }

    @Override
    public void standBack(RingInput.StandBack input) {
        turn.willing = false;
        stop(input.cause());
    }

    @Override
    public void leave(RingInput.Leave input) {
        turn.seat = null;
        turn.laps.stepDown(LossCause.CLOSED);
        turn.laps.tellNobody();
        turn.round = null;
        turn.bequest = null;
        turn.held.clear();
        turn.gone = true;
    }
}
