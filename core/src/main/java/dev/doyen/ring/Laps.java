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
import org.jspecify.annotations.Nullable;

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
     * @param circle the greatest term that any member had seen when that message passed it
     */
    void win(Moment sentAt, Term circle) {
        Ballot ballot = turn.ballot;
        if (ballot == null) {
            return;
        }
        if (!ballot.mine().stands()) {
            turn.ballot = ballot.asDecided();
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
        turn.learn(circle);
        Reign reign = turn.reign;
        if (reign != null && turn.isStale(reign.term())) {
            stepDown(LossCause.SUPERSEDED);
            reign = null;
        }
        if (turn.electorate != null) {
            turn.bids.won(ballot);
            return;
        }
        turn.ballot = ballot.asDecided();
        turn.vainRounds = 0;
        if (reign != null) {
            recover(reign);
            reign = reign.confirmedAgain(sentAt);
        } else {
            Term term = turn.seen.next(turn.me);
            turn.learn(term);
            reign = Reign.begin(term, sentAt, turn.timing.lead());
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
        return turn.ballot != null && turn.ballot.decided();
    }

    void received(Seat seat, Member from, RingMessage.OfLeader lap) {
        Term term = lap.term();
        Reign reign = turn.reign;
        if (turn.me.equals(term.creator())) {
            if (turn.electorate != null) {
                turn.bids.home(from, lap);
            } else if (reign != null && reign.term().equals(term)) {
                Reign after = reign.returned(lap.sequence());
                if (!after.doubted()) {
                    recover(reign);
                }
                turn.reign = after;
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
        turn.bid = null;
        turn.learn(term);
        boolean asks = turn.electorate != null && lap instanceof RingMessage.Elected;
        if (asks && !(turn.heard.named() && turn.heard.term().equals(term))) {
            // Whoever led before is not sure to any more, and this one does not yet.
            tellNobody();
            turn.heard = new Heard(term, lap.sequence(), false, followed());
            turn.succession.succeeded(term);
        } else {
            hear(term, lap.sequence());
            turn.vainRounds = 0;
        }
        Ballot ballot = turn.ballot;
        if (ballot != null) {
            turn.ballot = ballot.asDecided().givingUpAt(turn.heard.untilNanos());
        }
        turn.voting.pass(lap);
    }

    void nacked(Member from, RingMessage.Nack nack) {
        Seat seat = turn.seat;
        if (seat == null || !seat.view().has(from)) {
            turn.seating.drop(from, nack, Why.NOT_FROM_PREDECESSOR);
            return;
        }
        turn.learn(nack.term());
        Reign reign = turn.reign != null ? turn.reign : turn.bid;
        if (reign != null && turn.outdates(nack.term(), reign.term())) {
            stepDown(LossCause.SUPERSEDED);
            turn.bid = null;
            if (nack.view().equals(seat.view().id())) {
                turn.rounds.openNext();
            }
        }
    }

    /** A key of this round passes by: before a greater one goes on its way, a leader here has stopped (rule R9). */
    void outrank(Ballot ballot, Key key) {
        if (key.beats(ballot.mine())) {
            stepDown(LossCause.SUPERSEDED);
        }
    }

    /** Rules R7 and R8: before anything else is done, a leader whose time is up has stopped. */
    void enforceDeadline() {
        Reign reign = turn.reign;
        if (reign != null && !reign.holdsAt(turn.now)) {
            LossCause cause = reign.unbacked() ? LossCause.NO_QUORUM : LossCause.EXPIRED;
            stepDown(reign.wasSuspendedAt(turn.now) ? LossCause.SUSPENDED : cause);
            turn.rounds.openNext();
        }
    }

    void stepDown(LossCause cause) {
        stepDown(cause, null);
    }

    /** Leads no more; and says so, once the work has stopped, to whom it is of use. */
    void stepDown(LossCause cause, @Nullable Member heir) {
        Reign reign = turn.reign;
        if (reign != null) {
            turn.reign = null;
            turn.effect(new StepDown(reign.term(), cause));
            tellNobody();
            turn.voting.release(reign.term());
            turn.succession.tell(reign.term(), heir);
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
        Ballot ballot = turn.ballot;
        if (seat == null || ballot == null) {
            return;
        }
        long sequence = reign.sequence() + 1;
        Reign sent = reign.sending(
                sequence, turn.now, turn.now.nanos() + turn.timing.beat().toNanos());
        ViewId view = seat.view().id();
        turn.reign = sent;
        if (turn.electorate == null && seat.isAlone(turn.me)) {
            recover(reign);
            turn.reign = sent.returned(sequence);
        } else {
            turn.voting.pass(
                    first
                            ? new RingMessage.Elected(view, ballot.round(), sent.term(), sequence)
                            : new RingMessage.Beat(view, ballot.round(), sent.term(), sequence));
        }
    }
}
