package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingEffect.Lead;
import dev.doyen.ring.RingEffect.LeaderChanged;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.StepDown;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RingState.Heard;
import java.util.Optional;

/** The rules for a leader and its heartbeats, at the leader and at its followers (R6 to R9). */
final class Laps {

    private final RingTurn turn;

    Laps(RingTurn turn) {
        this.turn = turn;
    }

    /**
     * Makes this member the leader, or confirms it, after its key has won.
     *
     * <p>The member does not lead if it does not campaign, if the leader lease has passed already, or before a newer
     * saved state has arrived (rule T4).
     *
     * @param sentAt before the send of the message that returned
     * @param passed what that message has collected from all members of the view
     */
    void win(Moment sentAt, Passed passed) {
        RoundState round = turn.round;
        if (round == null) {
            return;
        }
        if (!round.mine().stands()) {
            turn.round = round.asDecided();
            return;
        }
        if (!turn.stands()) {
            // This member campaigned when the round began, and has resigned or withdrawn since (rule R12).
            turn.rounds.openNext();
            return;
        }
        var fresh = Reign.begin(Term.NONE, sentAt, turn.timing.lead());
        if (!fresh.holdsAt(turn.now)) {
            return;
        }
        turn.learn(passed.term());
        Reign reign = turn.reign;
        if (reign != null && turn.isStale(reign.term())) {
            stepDown(LossCause.SUPERSEDED);
            reign = null;
        }
        if (reign == null && turn.states.awaits(round, sentAt, passed)) {
            return;
        }
        turn.round = round.asDecided();
        turn.vainRounds = 0;
        if (reign != null) {
            recover(reign);
            reign = reign.confirmedAgain(sentAt);
        } else {
            Term term = turn.seen.next(turn.me);
            turn.learn(term);
            reign = Reign.begin(term, sentAt, turn.timing.lead());
            turn.saved = turn.saved.beginning(term);
            turn.effect(new Lead(term));
        }
        turn.reign = reign;
        lap(reign, true);
        hear(reign.term(), reign.sequence());
    }

    /** Sends the leader's next heartbeat, if it is due. */
    void beat() {
        Reign reign = turn.reign;
        if (reign != null && beats() && turn.isDue(reign.beatAtNanos())) {
            lap(reign, false);
        }
    }

    /** Reports jeopardy if no heartbeat has returned for half of the leader lease. */
    void doubt() {
        Reign reign = turn.reign;
        if (reign != null && !reign.doubted() && turn.isDue(reign.doubtAtNanos())) {
            turn.reign = reign.asDoubted();
            turn.effect(new RingEffect.Jeopardy(reign.term(), reign.remainingAt(turn.now)));
        }
    }

    void recover(Reign before) {
        if (before.doubted()) {
            turn.effect(new RingEffect.Recovered(before.term()));
        }
    }

    /**
     * Returns true if no round is open.
     *
     * <p>A leader sends no heartbeat during a round, because members would take the round as decided.
     */
    boolean beats() {
        return turn.round != null && turn.round.decided();
    }

    void received(Seat seat, Member from, RingMessage.OfLeader lap) {
        Term term = lap.term();
        Reign reign = turn.reign;
        if (turn.me.equals(term.creator())) {
            if (reign != null && reign.term().equals(term)) {
                Reign after = reign.returned(lap.sequence());
                if (!after.doubted()) {
                    recover(reign);
                }
                turn.reign = after;
                lap.saved().ifPresent(saved -> turn.states.returned(saved.id()));
            } else {
                turn.seating.drop(from, lap, Why.PAST);
            }
            return;
        }
        if (turn.isStale(term)) {
            Member leader = term.creator();
            if (leader != null && seat.view().has(leader)) {
                turn.effect(new Send(leader, new RingMessage.Nack(seat.view().id(), turn.seen)));
            }
            turn.seating.drop(from, lap, Why.PAST);
            return;
        }
        if (term.equals(turn.heard.term()) && lap.sequence() <= turn.heard.sequence()) {
            turn.seating.drop(from, lap, Why.REPEATED);
            return;
        }
        stepDown(LossCause.SUPERSEDED);
        turn.learn(term);
        turn.states.received(lap);
        hear(term, lap.sequence());
        turn.vainRounds = 0;
        RoundState round = turn.round;
        if (round != null) {
            turn.round = round.asDecided().givingUpAt(turn.heard.untilNanos());
        }
        turn.sendOn(lap);
    }

    void nacked(Member from, RingMessage.Nack nack) {
        Seat seat = turn.seat;
        if (seat == null || !seat.view().has(from)) {
            turn.seating.drop(from, nack, Why.NOT_FROM_PREDECESSOR);
            return;
        }
        turn.learn(nack.term());
        Reign reign = turn.reign;
        if (reign != null && reign.term().compareTo(nack.term()) < 0) {
            stepDown(LossCause.SUPERSEDED);
            if (nack.view().equals(seat.view().id())) {
                turn.rounds.openNext();
            }
        }
    }

    /** Stops a leader here before it forwards a greater key (rule R9). */
    void outrank(RoundState round, Key key) {
        if (key.beats(round.mine())) {
            stepDown(LossCause.SUPERSEDED);
        }
    }

    /** Stops a leader whose leader lease has passed, before any input is processed (rules R7, R8). */
    void enforceDeadline() {
        Reign reign = turn.reign;
        if (reign != null && !reign.holdsAt(turn.now)) {
            stepDown(reign.wasSuspendedAt(turn.now) ? LossCause.SUSPENDED : LossCause.EXPIRED);
            turn.rounds.openNext();
        }
    }

    /** Stops leading, if this member leads. */
    void stepDown(LossCause cause) {
        Reign reign = turn.reign;
        if (reign != null) {
            turn.reign = null;
            turn.effect(new StepDown(reign.term(), cause));
            tellNobody();
        }
    }

    void tellNobody() {
        if (turn.heard.named()) {
            turn.heard = turn.heard.unnamed();
            turn.effect(new LeaderChanged(Optional.empty()));
        }
    }

    void hear(Term term, long sequence) {
        boolean news = !turn.heard.named() || !turn.heard.term().equals(term);
        turn.heard = new Heard(term, sequence, true, followed());
        turn.succession.succeeded(term);
        if (news) {
            turn.effect(new LeaderChanged(Optional.of(term)));
        }
    }

    private long followed() {
        return turn.now.nanos() + turn.timing.follow().toNanos();
    }

    void lap(Reign reign, boolean first) {
        Seat seat = turn.seat;
        RoundState round = turn.round;
        if (seat == null || round == null) {
            return;
        }
        long sequence = reign.sequence() + 1;
        Reign sent = reign.sending(
                sequence, turn.now, turn.now.nanos() + turn.timing.beat().toNanos());
        turn.reign = sent;
        Optional<SavedState> saved = sent.sendsState() ? Optional.of(turn.saved) : Optional.empty();
        if (seat.isAlone(turn.me)) {
            recover(reign);
            turn.reign = sent.returned(sequence);
            saved.ifPresent(each -> turn.states.returned(each.id()));
            return;
        }
        ViewId view = seat.view().id();
        turn.sendOn(
                first
                        ? new RingMessage.Elected(view, round.number(), sent.term(), sequence, saved)
                        : new RingMessage.Beat(view, round.number(), sent.term(), sequence, saved));
    }
}
