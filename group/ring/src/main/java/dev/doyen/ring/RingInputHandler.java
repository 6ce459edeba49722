package dev.doyen.ring;

import dev.doyen.event.LossCause;

/**
 * Passes each input to the rule that processes the input.
 *
 * <p>Each rule class implements some of the rules. Its constructor receives the rule classes that it calls. So the
 * calls between the rule classes have no cycle.
 */
final class RingInputHandler implements RingInput.Cases {

    private final RingStepContext step;
    private final LeaderHeartbeats heartbeats;
    private final Rounds rounds;
    private final Succession succession;
    private final ViewChanges viewChanges;

    RingInputHandler(RingStepContext step) {
        this.step = step;
        var states = new StateTransfer(step);
        heartbeats = new LeaderHeartbeats(step, states);
        rounds = new Rounds(step, states, heartbeats);
        succession = new Succession(step, heartbeats, rounds);
        viewChanges = new ViewChanges(step, states, heartbeats, rounds, succession);
    }

    /**
     * Ends the leadership of this member if its leader lease has expired. The machine calls this method before each
     * input.
     */
    void enforceDeadline() {
        if (heartbeats.enforceDeadline()) {
            rounds.openNext();
        }
    }

    /** Completes the step after the input has been processed. */
    void finish() {
        succession.endIfLed();
        heartbeats.setTimers();
        rounds.setTimers();
        succession.setTimers();
        viewChanges.setTimers();
    }

    @Override
    public void installed(RingInput.Installed input) {
        viewChanges.installed(input.view());
    }

    @Override
    public void received(RingInput.Received input) {
        viewChanges.received(input.from(), input.message());
    }

    @Override
    public void woken(RingInput.Woken input) {
        viewChanges.forgetOld();
        rounds.woken();
        succession.woken();
        heartbeats.doubt();
        heartbeats.sendIfDue();
    }

    @Override
    public void resign(RingInput.Resign input) {
        step.abstains = true;
        step.campaignsAtNanos = step.now.nanos() + input.cooldown().toNanos();
        stop(LossCause.RESIGNED);
    }

    @Override
    public void handOver(RingInput.HandOver input) {
        succession.handOver(input.successor(), input.cooldown());
    }

    @Override
    public void save(RingInput.Save input) {
        heartbeats.save(input.term(), input.version(), input.state());
    }

    /** If this member leads, ends its leadership and opens the next round. */
    private void stop(LossCause cause) {
        if (step.leaderState != null) {
            heartbeats.stepDown(cause);
            rounds.openNext();
        }
    }

    @Override
    public void campaign(RingInput.Campaign input) {
        step.willing = true;
        rounds.openIfNobodyLeads();
    }

    @Override
    public void withdraw(RingInput.Withdraw input) {
        step.willing = false;
        stop(input.cause());
    }

    @Override
    public void leave(RingInput.Leave input) {
        step.position = null;
        heartbeats.stepDown(LossCause.CLOSED);
        heartbeats.reportNoLeader();
        step.round = null;
        step.pendingTransfer = null;
        step.held.clear();
        step.gone = true;
    }
}
