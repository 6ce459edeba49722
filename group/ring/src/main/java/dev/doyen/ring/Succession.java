package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.HandOverFailed;
import dev.doyen.ring.RingEffect.Obstacle;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.Why;
import java.time.Duration;
import java.util.Optional;

/** The rules for handing over to a named member (H1 to H3). */
final class Succession {

    private final RingStepContext step;
    private final LeaderHeartbeats heartbeats;
    private final Rounds rounds;

    Succession(RingStepContext step, LeaderHeartbeats heartbeats, Rounds rounds) {
        this.step = step;
        this.heartbeats = heartbeats;
        this.rounds = rounds;
    }

    /** A handover whose successor does not lead yet. The handover fails if no leader is known by {@code untilNanos}. */
    record PendingTransfer(String successor, long untilNanos) {}

    void handOver(String successorId, Duration cooldown) {
        LeaderState leaderState = step.leaderState;
        RingPosition position = step.position;
        RoundState round = step.round;
        if (leaderState == null || position == null || round == null) {
            return;
        }
        Optional<Member> successor = position.view().members().stream()
                .filter(member -> member.id().equals(successorId) && !member.equals(step.me))
                .findFirst();
        if (successor.isEmpty()) {
            step.effect(new HandOverFailed(successorId, Obstacle.NOT_THERE));
            return;
        }
        step.abstains = true;
        step.campaignsAtNanos = step.now.nanos() + cooldown.toNanos();
        heartbeats.stepDown(LossCause.TRANSFERRED);
        if (round.decided()) {
            // The stored time to give up was set when the round began, and can have passed. This member must not open a
            // round yet, because the successor opens the next round (rule H1).
            step.round = round.givingUpAt(
                    step.now.nanos() + step.timing.electionTimeout().toNanos());
        }
        step.effect(new Send(
                successor.get(), new RingMessage.Yield(position.view().id(), round.number(), leaderState.term())));
        long patience = 2 * step.timing.retry().toNanos();
        step.pendingTransfer = new PendingTransfer(successorId, step.now.nanos() + patience);
    }

    /** Processes the message of a former leader that hands over to this member. */
    void received(Member from, RingMessage.Yield handover) {
        Term term = handover.term();
        if (!from.equals(term.creator())) {
            step.drop(from, handover, Why.NOT_FROM_PREDECESSOR);
            return;
        }
        if (step.knownLeader.term().equals(term)) {
            heartbeats.reportNoLeader();
        }
        takeOver(from, handover);
    }

    /**
     * Opens the next round. If this member campaigns, its key contains the former leader's term. Then the keys of all
     * other candidates are less.
     */
    private void takeOver(Member from, RingMessage.Yield handover) {
        RingPosition position = step.position;
        RoundState round = step.round;
        if (position == null
                || round == null
                || !handover.view().equals(position.view().id())
                || step.leaderState != null
                || step.isStale(handover.term())) {
            step.drop(from, handover, Why.PAST);
            return;
        }
        // A sender that is not in this view cannot have led in this view.
        if (!position.view().has(from)) {
            step.drop(from, handover, Why.NOT_FROM_PREDECESSOR);
            return;
        }
        step.learn(handover.term());
        // A successor may lead at once, even during its cooldown.
        step.abstains = false;
        rounds.enter(Math.max(round.number(), handover.round()) + 1, step.campaigns() ? handover.term() : Term.NONE);
        rounds.begin();
    }

    /** Ends a pending handover if the next leader is known. */
    void endIfLed() {
        PendingTransfer pendingTransfer = step.pendingTransfer;
        Member leader = step.knownLeader.term().creator();
        if (pendingTransfer != null && step.knownLeader.named() && leader != null) {
            step.pendingTransfer = null;
            if (!leader.id().equals(pendingTransfer.successor())) {
                step.effect(new HandOverFailed(pendingTransfer.successor(), Obstacle.ANOTHER_ELECTED));
            }
        }
    }

    void woken() {
        PendingTransfer pendingTransfer = step.pendingTransfer;
        if (pendingTransfer != null && step.isDue(pendingTransfer.untilNanos())) {
            step.pendingTransfer = null;
            step.effect(new HandOverFailed(pendingTransfer.successor(), Obstacle.NO_ANSWER));
            rounds.openIfUndecided();
        }
    }

    void setTimers() {
        if (step.pendingTransfer != null) {
            step.wakeAt(step.pendingTransfer.untilNanos());
        }
    }
}
