package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Why;

/** The rules for the rounds of a view: entering, opening, giving up (R2, R5, R7, R10, R12). */
final class Rounds {

    /** How often the time before a round is given up doubles, after rounds without a winner. */
    static final int MAX_DOUBLINGS = 3;

    private final RingTurn turn;

    Rounds(RingTurn turn) {
        this.turn = turn;
    }

    /** Enters a round, which fixes this member's key. Sends nothing yet. */
    void enter(long number) {
        Reign reign = turn.reign;
        enter(number, reign == null ? Term.NONE : reign.term());
    }

    /** Enters a round with this term in the key: the term that this member leads in, or that was handed over. */
    void enter(long number, Term incumbent) {
        var mine = new Key(
                turn.stands(), incumbent, turn.settings.priority(), turn.settings.order(), turn.joined, turn.me);
        long follow = turn.timing.follow().toNanos();
        long patience = RingTurn.doubled(follow, turn.vainRounds, follow << MAX_DOUBLINGS);
        turn.round = RoundState.begin(number, mine, turn.now, turn.algorithm.begin(mine), turn.now.nanos() + patience);
    }

    /** Sends this member's key, unless that is pointless. A member that is alone wins (rule R10). */
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

    /**
     * Opens a round if this member campaigns and nobody leads.
     *
     * <p>It does not if this member campaigns in an open round already.
     */
    void openIfNobodyLeads() {
        RoundState round = turn.round;
        boolean takesPart = round != null && !round.decided() && round.mine().stands();
        if (turn.reign == null && !turn.heard.named() && turn.stands() && !takesPart) {
            openNext();
        }
    }

    /** Opens a round if nobody leads and no round is open. */
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
