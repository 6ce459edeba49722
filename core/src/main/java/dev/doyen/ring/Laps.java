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

/** A leader and its laps round the ring, as itself and as the others know it: rules R6 to R9. */
final class Laps {

    private final RingTurn turn;

    Laps(RingTurn turn) {
        this.turn = turn;
    }

    /**
     * This member's key is the greatest of all members of the view.
     *
     * @param sentAt before the message was sent whose return shows it
     * @param passed what that message has learned from all members of the view
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
            // It did when the round began. The next one is without it.
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

    /** The leader's next lap, if it is due. */
    void beat() {
        Reign reign = turn.reign;
        if (reign != null && beats() && turn.isDue(reign.beatAtNanos())) {
            lap(reign, false);
        }
    }

    /** Tells the driver, in time, that this leadership will end if no lap comes home. */
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

    /** While a round is open, its contest speaks for the leader: a beat would tell members that it is decided. */
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

    /** A key of this round passes by: before a greater one goes on its way, a leader here has stopped (rule R9). */
    void outrank(RoundState round, Key key) {
        if (key.beats(round.mine())) {
            stepDown(LossCause.SUPERSEDED);
        }
    }

    /** Rules R7 and R8: before anything else is done, a leader whose time is up has stopped. */
    void enforceDeadline() {
        Reign reign = turn.reign;
        if (reign != null && !reign.holdsAt(turn.now)) {
            stepDown(reign.wasSuspendedAt(turn.now) ? LossCause.SUSPENDED : LossCause.EXPIRED);
            turn.rounds.openNext();
        }
    }

    /** Leads no more. */
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
