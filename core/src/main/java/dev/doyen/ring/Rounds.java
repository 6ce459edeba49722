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
    void enter(long number) {
        Reign reign = turn.reign;
        enter(number, reign == null ? Term.NONE : reign.term());
    }

    /** The same, as the one that leads in this term, or is to follow who did. */
    void enter(long number, Term incumbent) {
        var mine = new Key(
                turn.stands(), incumbent, turn.settings.priority(), turn.settings.order(), turn.joined, turn.me);
        long follow = turn.timing.follow().toNanos();
        long patience = RingTurn.doubled(follow, turn.vainRounds, follow << MAX_DOUBLINGS);
        turn.round = RoundState.begin(number, mine, turn.now, turn.algorithm.begin(mine), turn.now.nanos() + patience);
    }

    /** Sends the own key, if there is a reason to. Who is alone has won. */
    void begin() {
        RoundState round = turn.round;
        Seat seat = turn.seat;
        if (round == null || seat == null || round.decided()) {
            return;
        }
        if (seat.isAlone(turn.me)) {
            turn.laps.win(turn.now, turn.passed());
        } else {
            turn.algorithm.enter(seat, round);
        }
    }

    void openNext() {
        RoundState round = turn.round;
        if (round != null) {
            enter(round.number() + 1);
            begin();
        }
    }

    /** This member stands again. A round that it takes part in already need not be opened for that. */
    void openIfNobodyLeads() {
        RoundState round = turn.round;
        boolean takesPart = round != null && !round.decided() && round.mine().stands();
        if (turn.reign == null && !turn.heard.named() && turn.stands() && !takesPart) {
            openNext();
        }
    }

    /** Nobody leads, and nobody has opened a round either. */
    void openIfUndecided() {
        RoundState round = turn.round;
        if (turn.reign == null && !turn.heard.named() && round != null && round.decided()) {
            openNext();
        }
    }

    void received(Seat seat, Member from, RingMessage.OfRound message) {
        RoundState round = turn.round;
        if (round == null || message.round() < round.number()) {
            turn.seating.drop(from, message, Why.PAST);
            return;
        }
        if (message.round() > round.number()) {
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
        RoundState round = turn.round;
        if (round != null && turn.algorithm.retries(round) && turn.isDue(turn.algorithm.retryAtNanos(round))) {
            turn.algorithm.retry(round);
        }
    }

    boolean standsAgainLater() {
        return turn.abstains && turn.willing && turn.settings.stands();
    }

    private void giveUp() {
        RoundState round = turn.round;
        if (round != null && turn.reign == null && turn.isDue(round.giveUpAtNanos())) {
            turn.vainRounds = Math.min(turn.vainRounds + 1, MAX_DOUBLINGS);
            openNext();
        }
    }
}
