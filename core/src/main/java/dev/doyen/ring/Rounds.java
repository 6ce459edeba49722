package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Why;

/** Rounds of a view: who begins one, and when it is given up (rules R2, R5, R7, R10, R12). */
final class Rounds {

    /** A round is given up after follow, doubled with each vain one, but no more than so often. */
    static final int MAX_DOUBLINGS = 3;

    private final RingTurn turn;

    Rounds(RingTurn turn) {
        this.turn = turn;
    }

    /** Takes part in a round, with a key that stays what it is now, and says nothing yet. */
    void enter(long round) {
        Reign reign = turn.reign;
        enter(round, reign == null ? Term.NONE : reign.term());
    }

    /** The same, as the one that leads in this term, or is to follow who did. */
    void enter(long round, Term incumbent) {
        turn.bid = null;
        var mine = new Key(
                turn.stands(), incumbent, turn.settings.priority(), turn.settings.order(), turn.joined, turn.me);
        long follow = turn.timing.follow().toNanos();
        long patience = RingTurn.doubled(follow, turn.vainRounds, follow << MAX_DOUBLINGS);
        turn.ballot = new Ballot(round, mine, turn.now, false, turn.algorithm.begin(mine), turn.now.nanos() + patience);
    }

    /** Sends the own key, if there is a reason to. Who is alone has won. */
    void begin() {
        Ballot ballot = turn.ballot;
        Seat seat = turn.seat;
        if (ballot == null || seat == null || ballot.decided() || !turn.bids.isQuorate()) {
            return;
        }
        if (seat.isAlone(turn.me)) {
            turn.laps.win(turn.now, turn.seen);
        } else {
            turn.algorithm.enter(seat, ballot);
        }
    }

    void openNext() {
        Ballot ballot = turn.ballot;
        if (ballot != null) {
            enter(ballot.round() + 1);
            begin();
        }
    }

    /** This member stands again. A round that it takes part in already need not be opened for that. */
    void openIfNobodyLeads() {
        Ballot ballot = turn.ballot;
        boolean takesPart = ballot != null && !ballot.decided() && ballot.mine().stands();
        if (turn.reign == null && turn.bid == null && !turn.heard.named() && turn.stands() && !takesPart) {
            openNext();
        }
    }

    /** Nobody leads, and nobody has opened a round either. */
    void openIfUndecided() {
        Ballot ballot = turn.ballot;
        if (turn.reign == null && !turn.heard.named() && ballot != null && ballot.decided()) {
            openNext();
        }
    }

    void received(Seat seat, Member from, RingMessage.OfRound message) {
        Ballot ballot = turn.ballot;
        if (ballot == null || message.round() < ballot.round()) {
            turn.seating.drop(from, message, Why.PAST);
            return;
        }
        if (message.round() > ballot.round()) {
            enter(message.round());
        }
        if (message instanceof RingMessage.OfLeader lap) {
            turn.laps.received(seat, from, lap);
        } else if (message instanceof RingMessage.OfContest contest
                && contest.key().order() != turn.settings.order()) {
            turn.seating.drop(from, message, Why.OTHER_ORDER);
        } else {
            turn.algorithm.received(seat, from, message);
        }
    }

    void woken() {
        if (turn.reign == null && turn.heard.named() && turn.isDue(turn.heard.untilNanos())) {
            turn.laps.tellNobody();
        }
        if (turn.abstains && turn.isDue(turn.standsAtNanos)) {
            turn.abstains = false;
            openIfNobodyLeads();
        }
        giveUp();
        Ballot ballot = turn.ballot;
        if (ballot != null && turn.algorithm.retries(ballot) && turn.isDue(turn.algorithm.retryAtNanos(ballot))) {
            turn.algorithm.retry(ballot);
        }
    }

    boolean standsAgainLater() {
        return turn.abstains && turn.willing && turn.settings.stands();
    }

    private void giveUp() {
        Ballot ballot = turn.ballot;
        if (ballot != null && turn.reign == null && turn.isDue(ballot.giveUpAtNanos())) {
            turn.vainRounds = Math.min(turn.vainRounds + 1, MAX_DOUBLINGS);
            openNext();
        }
    }
}
