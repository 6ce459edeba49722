package dev.doyen.ring;

import dev.doyen.event.LossCause;

/** Passes each input to the rule that decides it. */
final class RingInputHandler implements RingInput.Cases {

    private final RingStepContext step;

    RingInputHandler(RingStepContext step) {
        this.step = step;
    }

    @Override
    public void installed(RingInput.Installed input) {
        step.viewChanges.installed(input.view());
    }

    @Override
    public void received(RingInput.Received input) {
        step.viewChanges.received(input.from(), input.message());
    }

    @Override
    public void woken(RingInput.Woken input) {
        step.viewChanges.forgetOld();
        step.rounds.woken();
        step.succession.woken();
        step.heartbeats.doubt();
        step.heartbeats.sendIfDue();
    }

    @Override
    public void resign(RingInput.Resign input) {
        step.abstains = true;
        step.campaignsAtNanos = step.now.nanos() + input.cooldown().toNanos();
        stop(LossCause.RESIGNED);
    }

    @Override
    public void handOver(RingInput.HandOver input) {
        step.succession.handOver(input.successor(), input.cooldown());
    }

    @Override
    public void save(RingInput.Save input) {
        step.states.save(input.term(), input.version(), input.state());
    }

    /** Stops leading and opens the next round, in which the others elect. */
    private void stop(LossCause cause) {
        if (step.leaderState != null) {
            step.heartbeats.stepDown(cause);
            step.rounds.openNext();
        }
    }

    @Override
    public void campaign(RingInput.Campaign input) {
        step.willing = true;
        step.rounds.openIfNobodyLeads();
    }

    @Override
    public void withdraw(RingInput.Withdraw input) {
        step.willing = false;
        stop(input.cause());
    }

    @Override
    public void leave(RingInput.Leave input) {
        step.position = null;
        step.heartbeats.stepDown(LossCause.CLOSED);
        step.heartbeats.reportNoLeader();
        step.round = null;
        step.pendingTransfer = null;
        step.held.clear();
        step.gone = true;
    }
}
