package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingEffect.Dropped;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RingState.Held;
import java.util.ArrayList;
import java.util.List;

/** The rules for views, and for messages of other views (R2, R3, R11). */
final class Seating {

    /**
     * How many messages of views that are not installed yet are kept.
     *
     * <p>The oldest is dropped first. Its sender sends again (rule R5), or opens another round.
     */
    static final int MAX_HELD = 256;

    /** How many past views are remembered by id. A view that is older is recognised by its number. */
    static final int MAX_PAST = 32;

    private final RingTurn turn;

    Seating(RingTurn turn) {
        this.turn = turn;
    }

    void installed(View view) {
        Seat left = turn.seat;
        if (turn.past.contains(view.id()) || (left != null && left.view().id().equals(view.id()))) {
            return;
        }
        if (left != null) {
            remember(left.view().id());
        }
        if (!view.has(turn.me)) {
            remember(view.id());
            turn.seat = null;
            turn.round = null;
            turn.laps.stepDown(LossCause.SUPERSEDED);
            turn.laps.tellNobody();
            return;
        }
        turn.seat = Seat.of(turn.me, view);
        if (turn.joined == RingState.NOT_JOINED) {
            turn.joined = view.id().number();
        }
        turn.vainRounds = 0;
        Member leader = turn.heard.term().creator();
        if (leader != null && !view.has(leader)) {
            turn.laps.tellNobody();
        }
        turn.rounds.enter(0);
        // The kept messages come before this member's own key, which need not be sent if a greater key is among them.
        replay(view.id());
        turn.rounds.begin();
    }

    void received(Member from, RingMessage message) {
        Seat seat = turn.seat;
        if (message instanceof RingMessage.Nack nack) {
            turn.laps.nacked(from, nack);
        } else if (message instanceof RingMessage.Yield word) {
            turn.succession.told(from, word);
        } else if (message instanceof RingMessage.StateRequest request) {
            turn.states.requested(from, request);
        } else if (message instanceof RingMessage.StateResponse response) {
            turn.states.answered(from, response);
        } else if (seat != null && message.view().equals(seat.view().id())) {
            if (from.equals(seat.before())) {
                turn.rounds.received(seat, from, (RingMessage.OfRound) message);
            } else {
                drop(from, message, Why.NOT_FROM_PREDECESSOR);
            }
        } else if (isPast(message.view())) {
            if (seat != null) {
                turn.effect(new Send(from, new RingMessage.Nack(seat.view().id(), turn.seen)));
            }
            drop(from, message, Why.PAST);
        } else {
            hold(from, message);
        }
    }

    /** Drops messages that were kept for a view that was not installed in time. */
    void forgetOld() {
        for (Held message : List.copyOf(turn.held)) {
            if (turn.isDue(message.untilNanos())) {
                turn.held.remove(message);
                drop(message.from(), message.message(), Why.NOT_KEPT);
            }
        }
    }

    void drop(Member from, RingMessage message, Why why) {
        turn.effect(new Dropped(from, message, why));
    }

    private boolean isPast(ViewId view) {
        Seat seat = turn.seat;
        return turn.past.contains(view)
                || (seat != null && view.number() < seat.view().id().number());
    }

    private void hold(Member from, RingMessage message) {
        if (turn.held.size() == MAX_HELD) {
            Held oldest = turn.held.remove(0);
            drop(oldest.from(), oldest.message(), Why.NOT_KEPT);
        }
        turn.held.add(
                new Held(from, message, turn.now.nanos() + turn.timing.keep().toNanos()));
    }

    private void replay(ViewId view) {
        for (Held message : List.copyOf(turn.held)) {
            if (message.message().view().equals(view)) {
                turn.held.remove(message);
                received(message.from(), message.message());
            }
        }
    }

    private void remember(ViewId view) {
        var past = new ArrayList<>(turn.past);
        if (past.size() == MAX_PAST) {
            past.remove(0);
        }
        past.add(view);
        turn.past = List.copyOf(past);
    }
}
