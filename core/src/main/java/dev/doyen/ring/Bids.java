package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ring.RingEffect.Lead;
import dev.doyen.ring.RingEffect.Why;

/** Quorum mode, from the side of who wants to lead, or leads: rules Q2, Q6 to Q8. */
final class Bids {

    private final RingTurn turn;

    Bids(RingTurn turn) {
        this.turn = turn;
    }

    /** A view is installed. Where too few voters are, nobody leads from now on, and nobody stands. */
    void installed(View view) {
        Electorate electorate = turn.electorate;
        turn.bid = null;
        if (electorate != null && !electorate.isQuorum(electorate.votersIn(view))) {
            turn.laps.stepDown(LossCause.NO_QUORUM);
            turn.laps.tellNobody();
        }
    }

    /** Whether enough voters are here; true in AP mode. */
    boolean isQuorate() {
        Seat seat = turn.seat;
        Electorate electorate = turn.electorate;
        return electorate == null || (seat != null && electorate.isQuorum(electorate.votersIn(seat.view())));
    }

    /**
     * This member has won a round: it asks the voters; or if it leads already, it says so, for nobody who follows another or
     * was away names who only asks.
     */
    void won(Ballot ballot) {
        long patience = 2 * turn.timing.follow().toNanos();
        turn.ballot = ballot.asDecided()
                .givingUpAt(turn.now.nanos()
                        + RingTurn.doubled(patience, turn.vainRounds, patience << Rounds.MAX_DOUBLINGS));
        Reign reign = turn.reign;
        if (reign != null) {
            turn.laps.lap(reign, false);
            return;
        }
        Term term = turn.seen.next(turn.me);
        turn.learn(term);
        turn.granted = 0;
        turn.bid = Reign.begin(term, turn.now, turn.timing.lead());
        ask(turn.bid);
    }

    /** Asks again, if that is due. */
    void askAgain() {
        Reign bid = turn.bid;
        if (bid != null && turn.isDue(bid.beatAtNanos())) {
            ask(bid);
        }
    }

    /** Whether this member leads, or wants to, in this term. */
    boolean isOpen(Term term) {
        Reign reign = turn.reign;
        Reign bid = turn.bid;
        return (reign != null && reign.term().equals(term))
                || (bid != null && bid.term().equals(term));
    }

    /** A lap of this member has come home. Only if enough voters granted it, it says anything. */
    void home(Member from, RingMessage.OfLeader lap) {
        Electorate electorate = turn.electorate;
        Reign reign = turn.reign;
        Reign bid = turn.bid;
        if (electorate == null || !isOpen(lap.term())) {
            turn.seating.drop(from, lap, Why.PAST);
            return;
        }
        turn.granted = lap.grants();
        boolean isGranted = electorate.isQuorum(lap.grants());
        if (reign != null) {
            Reign after = isGranted ? reign.returned(lap.sequence()) : reign.asUnbacked();
            if (!after.doubted()) {
                turn.laps.recover(reign);
            }
            turn.reign = after;
        } else if (bid != null && isGranted) {
            begin(bid, bid.returned(lap.sequence()));
        }
    }

    private void begin(Reign bid, Reign granted) {
        if (granted.equals(bid) || !granted.holdsAt(turn.now)) {
            return;
        }
        turn.bid = null;
        turn.reign = granted;
        turn.vainRounds = 0;
        turn.effect(new Lead(granted.term()));
        turn.laps.lap(granted, false);
        turn.laps.hear(granted.term(), granted.sequence());
    }

    private void ask(Reign bid) {
        Seat seat = turn.seat;
        Ballot ballot = turn.ballot;
        if (seat == null || ballot == null) {
            return;
        }
        long sequence = bid.sequence() + 1;
        turn.bid = bid.sending(
                sequence, turn.now, turn.now.nanos() + turn.timing.retry().toNanos());
        turn.voting.pass(new RingMessage.Elected(seat.view().id(), ballot.round(), bid.term(), sequence));
    }
}
