package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Why;

/** The rules for the rounds of a view: entering, opening, giving up (R2, R5, R7, R10, R12). */
final class Rounds {

    /** How often the time before a round is given up doubles, after rounds without a winner. */
    static final int MAX_DOUBLINGS = 3;

    private final RingStepContext step;

    Rounds(RingStepContext step) {
        this.step = step;
    }

    /** Enters a round, which fixes this member's key. Sends nothing yet. */
    void enter(long number) {
        LeaderState leaderState = step.leaderState;
        enter(number, leaderState == null ? Term.NONE : leaderState.term());
    }

    /** Enters a round with this term in the key: the term that this member leads in, or that was handed over. */
    void enter(long number, Term incumbent) {
        var mine = new Key(
                step.campaigns(), incumbent, step.settings.priority(), step.settings.order(), step.joined, step.me);
        long follow = step.timing.electionTimeout().toNanos();
        long patience = RingStepContext.doubled(follow, step.vainRounds, follow << MAX_DOUBLINGS);
        step.round = RoundState.begin(number, mine, step.now, step.algorithm.begin(mine), step.now.nanos() + patience);
    }

    /** Sends this member's key, unless that is pointless. A member that is alone wins (rule R10). */
    void begin() {
        RoundState round = step.round;
        RingPosition position = step.position;
        if (round == null || position == null || round.decided()) {
            return;
        }
        if (position.isAlone(step.me)) {
            step.heartbeats.win(step.now, step.passed());
        } else {
            step.algorithm.enter(position, round);
        }
    }

    void openNext() {
        RoundState round = step.round;
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
        RoundState round = step.round;
        boolean takesPart = round != null && !round.decided() && round.mine().campaigns();
        if (step.leaderState == null && !step.knownLeader.named() && step.campaigns() && !takesPart) {
            openNext();
        }
    }

    /** Opens a round if nobody leads and no round is open. */
    void openIfUndecided() {
        RoundState round = step.round;
        if (step.leaderState == null && !step.knownLeader.named() && round != null && round.decided()) {
            openNext();
        }
    }

    void received(RingPosition position, Member from, RingMessage.OfRound message) {
        RoundState round = step.round;
        if (round == null || message.round() < round.number()) {
            step.viewChanges.drop(from, message, Why.PAST);
            return;
        }
        if (message.round() > round.number()) {
            enter(message.round());
        }
        if (message instanceof RingMessage.OfLeader heartbeat) {
            step.heartbeats.received(position, from, heartbeat);
        } else if (message instanceof RingMessage.OfContest contest
                && contest.key().order() != step.settings.order()) {
            step.viewChanges.drop(from, message, Why.OTHER_ORDER);
        } else {
            step.algorithm.received(position, from, message);
        }
    }

    void woken() {
        if (step.leaderState == null && step.knownLeader.named() && step.isDue(step.knownLeader.untilNanos())) {
            step.heartbeats.reportNoLeader();
        }
        if (step.abstains && step.isDue(step.campaignsAtNanos)) {
            step.abstains = false;
            openIfNobodyLeads();
        }
        giveUp();
        RoundState round = step.round;
        if (round != null && step.algorithm.retries(round) && step.isDue(step.algorithm.retryAtNanos(round))) {
            step.algorithm.retry(round);
        }
    }

    boolean campaignsAgainLater() {
        return step.abstains && step.willing && step.settings.campaigns();
    }

    private void giveUp() {
        RoundState round = step.round;
        if (round != null && step.leaderState == null && step.isDue(round.giveUpAtNanos())) {
            step.vainRounds = Math.min(step.vainRounds + 1, MAX_DOUBLINGS);
            openNext();
        }
    }
}
