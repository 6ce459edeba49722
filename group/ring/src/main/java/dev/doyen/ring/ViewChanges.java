package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RingState.Held;
import java.util.ArrayList;
import java.util.List;

/** The rules for views, and for messages of other views (R2, R3, R11). */
final class ViewChanges {

    /**
     * The maximum number of stored messages that belong to views that are not installed yet.
     *
     * <p>The oldest message is dropped first. The sender of a dropped message sends it again (rule R5), or opens
     * another round.
     */
    static final int MAX_HELD = 256;

    /** The number of past views whose ids are stored. An older view is recognised by its number. */
    static final int MAX_PAST = 32;

    private final RingStepContext step;
    private final StateTransfer states;
    private final LeaderHeartbeats heartbeats;
    private final Rounds rounds;
    private final Succession succession;

    ViewChanges(
            RingStepContext step,
            StateTransfer states,
            LeaderHeartbeats heartbeats,
            Rounds rounds,
            Succession succession) {
        this.step = step;
        this.states = states;
        this.heartbeats = heartbeats;
        this.rounds = rounds;
        this.succession = succession;
    }

    void installed(View view) {
        RingPosition left = step.position;
        if (step.past.contains(view.id()) || (left != null && left.view().id().equals(view.id()))) {
            return;
        }
        if (left != null) {
            remember(left.view().id());
        }
        if (!view.has(step.me)) {
            remember(view.id());
            step.position = null;
            step.round = null;
            heartbeats.stepDown(LossCause.SUPERSEDED);
            heartbeats.reportNoLeader();
            return;
        }
        step.position = RingPosition.of(step.me, view);
        if (step.joined == RingState.NOT_JOINED) {
            step.joined = view.id().number();
        }
        step.vainRounds = 0;
        Member leader = step.knownLeader.term().creator();
        if (leader != null && !view.has(leader)) {
            heartbeats.reportNoLeader();
        }
        rounds.enter(0);
        // The stored messages are processed before this member sends its own key. If they contain a greater key, this
        // member need not send its key.
        replay(view.id());
        rounds.begin();
    }

    void received(Member from, RingMessage message) {
        RingPosition position = step.position;
        if (message instanceof RingMessage.Nack nack) {
            if (heartbeats.nacked(from, nack)) {
                rounds.openNext();
            }
        } else if (message instanceof RingMessage.Yield handover) {
            succession.received(from, handover);
        } else if (message instanceof RingMessage.StateRequest request) {
            states.requested(from, request);
        } else if (message instanceof RingMessage.StateResponse response) {
            states.answered(from, response).ifPresent(rounds::win);
        } else if (position != null && message.view().equals(position.view().id())) {
            if (from.equals(position.before())) {
                rounds.received(position, from, (RingMessage.OfRound) message);
            } else {
                step.drop(from, message, Why.NOT_FROM_PREDECESSOR);
            }
        } else if (isPast(message.view())) {
            if (position != null) {
                step.effect(new Send(from, new RingMessage.Nack(position.view().id(), step.seen)));
            }
            step.drop(from, message, Why.PAST);
        } else {
            hold(from, message);
        }
    }

    /** Drops stored messages whose view was not installed in time. */
    void forgetOld() {
        for (Held message : List.copyOf(step.held)) {
            if (step.isDue(message.untilNanos())) {
                step.held.remove(message);
                step.drop(message.from(), message.message(), Why.NOT_KEPT);
            }
        }
    }

    void setTimers() {
        step.held.forEach(message -> step.wakeAt(message.untilNanos()));
    }

    private boolean isPast(ViewId view) {
        RingPosition position = step.position;
        return step.past.contains(view)
                || (position != null && view.number() < position.view().id().number());
    }

    private void hold(Member from, RingMessage message) {
        if (step.held.size() == MAX_HELD) {
            Held oldest = step.held.remove(0);
            step.drop(oldest.from(), oldest.message(), Why.NOT_KEPT);
        }
        step.held.add(
                new Held(from, message, step.now.nanos() + step.timing.keep().toNanos()));
    }

    private void replay(ViewId view) {
        for (Held message : List.copyOf(step.held)) {
            if (message.message().view().equals(view)) {
                step.held.remove(message);
                received(message.from(), message.message());
            }
        }
    }

    private void remember(ViewId view) {
        var past = new ArrayList<>(step.past);
        if (past.size() == MAX_PAST) {
            past.remove(0);
        }
        past.add(view);
        step.past = List.copyOf(past);
    }
}
