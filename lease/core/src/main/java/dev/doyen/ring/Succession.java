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

    private final RingTurn turn;

    Succession(RingTurn turn) {
        this.turn = turn;
    }

    /** A handover in progress: the successor does not lead yet. It fails at {@code untilNanos}. */
    record Bequest(String heir, long untilNanos) {}

    void handOver(String heirId, Duration cooldown) {
        Reign reign = turn.reign;
        Seat seat = turn.seat;
        RoundState round = turn.round;
        if (reign == null || seat == null || round == null) {
            return;
        }
        Optional<Member> heir = seat.view().members().stream()
                .filter(member -> member.id().equals(heirId) && !member.equals(turn.me))
                .findFirst();
        if (heir.isEmpty()) {
            turn.effect(new HandOverFailed(heirId, Obstacle.NOT_THERE));
            return;
        }
        turn.abstains = true;
        turn.standsAtNanos = turn.now.nanos() + cooldown.toNanos();
        turn.laps.stepDown(LossCause.TRANSFERRED);
        turn.effect(new Send(heir.get(), new RingMessage.Yield(seat.view().id(), round.number(), reign.term())));
        long patience = 2 * turn.timing.retry().toNanos();
        turn.bequest = new Bequest(heirId, turn.now.nanos() + patience);
    }

    /** Processes the message of a leader that has stopped and hands over to this member. */
    void told(Member from, RingMessage.Yield word) {
        Term term = word.term();
        if (!from.equals(term.creator())) {
            turn.seating.drop(from, word, Why.NOT_FROM_PREDECESSOR);
            return;
        }
        if (turn.heard.term().equals(term)) {
            turn.laps.tellNobody();
        }
        inherit(from, word);
    }

    /** Opens the next round with the former leader's term in the key, so that all other keys are lesser. */
    private void inherit(Member from, RingMessage.Yield word) {
        Seat seat = turn.seat;
        RoundState round = turn.round;
        if (seat == null
                || round == null
                || !word.view().equals(seat.view().id())
                || turn.reign != null
                || turn.isStale(word.term())) {
            turn.seating.drop(from, word, Why.PAST);
            return;
        }
        // A member that is not in the view has led nobody in it.
        if (!seat.view().has(from)) {
            turn.seating.drop(from, word, Why.NOT_FROM_PREDECESSOR);
            return;
        }
        turn.learn(word.term());
        // A successor may lead at once, even during its cooldown.
        turn.abstains = false;
        turn.rounds.enter(Math.max(round.number(), word.round()) + 1, turn.stands() ? word.term() : Term.NONE);
        turn.rounds.begin();
    }

    /** Ends a handover after a leader of this term is known. */
    void succeeded(Term term) {
        Bequest bequest = turn.bequest;
        Member leader = term.creator();
        if (bequest != null && leader != null) {
            turn.bequest = null;
            if (!leader.id().equals(bequest.heir())) {
                turn.effect(new HandOverFailed(bequest.heir(), Obstacle.ANOTHER_ELECTED));
            }
        }
    }

    void woken() {
        Bequest bequest = turn.bequest;
        if (bequest != null && turn.isDue(bequest.untilNanos())) {
            turn.bequest = null;
            turn.effect(new HandOverFailed(bequest.heir(), Obstacle.NO_ANSWER));
            turn.rounds.openIfUndecided();
        }
    }
}
