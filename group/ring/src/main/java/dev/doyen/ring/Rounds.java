package dev.doyen.ring;

import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.membership.Member;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RoundState.Win;

/** Enters, opens and abandons the rounds of a view (R2, R5, R7, R10, R12). */
final class Rounds {

    /** The maximum number of times that the round timeout doubles after rounds without a winner. */
    static final int MAX_DOUBLINGS = 3;

    private final RingStepContext step;
    private final StateTransfer states;
    private final LeaderHeartbeats heartbeats;
    private final Algorithm algorithm;

    Rounds(RingStepContext step, StateTransfer states, LeaderHeartbeats heartbeats) {
        this.step = step;
        this.states = states;
        this.heartbeats = heartbeats;
        this.algorithm = step.settings.algorithm() == RingAlgorithm.PETERSON
                ? new Peterson(step, heartbeats)
                : new ChangRoberts(step, heartbeats);
    }

    /** Enters a round. This member's key is fixed from now on. The method sends no message. */
    void enter(long number) {
        LeaderState leaderState = step.leaderState;
        enter(number, leaderState == null ? Term.NONE : leaderState.term());
    }

    /**
     * Enters a round with a key that contains this term. The term is the term in which this member leads, or the term
     * of a leader that has handed over to this member; otherwise {@link Term#NONE}.
     */
    void enter(long number, Term incumbent) {
        var mine = new Key(
                step.campaigns(), incumbent, step.settings.priority(), step.settings.order(), step.joined, step.me);
        long electionTimeout = step.timing.electionTimeout().toNanos();
        long patience = RingStepContext.doubled(electionTimeout, step.vainRounds, electionTimeout << MAX_DOUBLINGS);
        step.round = RoundState.begin(number, mine, step.now, algorithm.begin(mine), step.now.nanos() + patience);
    }

    /**
     * Sends this member's key, as {@link Algorithm#enter} describes. The only member of a view wins at once (rule R10).
     */
    void begin() {
        RoundState round = step.round;
        RingPosition position = step.position;
        if (round == null || position == null || round.decided()) {
            return;
        }
        if (position.isAlone(step.me)) {
            win(new Win(step.now, step.passed()));
        } else {
            algorithm.enter(position, round);
        }
    }

    /**
     * Makes this member the leader, or confirms its leadership, after its key has won.
     *
     * <p>The member does not lead if it does not campaign or if the leader lease has already expired. It also does not
     * lead before a newer saved state has arrived (rule T4).
     */
    void win(Win win) {
        RoundState round = step.round;
        if (round == null) {
            return;
        }
        if (!round.mine().campaigns()) {
            step.round = round.asDecided();
            return;
        }
        if (!step.campaigns()) {
            // This member campaigned when the round began, but has resigned or withdrawn since then (rule R12).
            openNext();
            return;
        }
        if (!heartbeats.confirms(win.sentAt())) {
            return;
        }
        step.learn(win.passed().term());
        heartbeats.stepDownIfStale();
        if (step.leaderState == null && states.awaits(round, win)) {
            return;
        }
        heartbeats.lead(round, win.sentAt());
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
     * <p>The method does nothing if this member already campaigns in an open round.
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
            step.drop(from, message, Why.PAST);
            return;
        }
        if (message.round() > round.number()) {
            enter(message.round());
        }
        if (message instanceof RingMessage.OfLeader heartbeat) {
            heartbeats.received(position, from, heartbeat);
        } else if (message instanceof RingMessage.OfContest contest
                && contest.key().order() != step.settings.order()) {
            step.drop(from, message, Why.OTHER_ORDER);
        } else {
            algorithm.received(position, from, message).ifPresent(this::win);
        }
    }

    void woken() {
        if (step.leaderState == null && step.knownLeader.named() && step.isDue(step.knownLeader.untilNanos())) {
            heartbeats.reportNoLeader();
        }
        if (step.abstains && step.isDue(step.campaignsAtNanos)) {
            step.abstains = false;
            openIfNobodyLeads();
        }
        giveUp();
        RoundState round = step.round;
        if (round != null && algorithm.retries(round) && step.isDue(algorithm.retryAtNanos(round))) {
            algorithm.retry(round);
        }
    }

    void setTimers() {
        RoundState round = step.round;
        if (step.leaderState == null && step.knownLeader.named()) {
            step.wakeAt(step.knownLeader.untilNanos());
        }
        if (round == null) {
            return;
        }
        if (step.leaderState == null) {
            step.wakeAt(round.giveUpAtNanos());
        }
        if (step.abstains && step.willing && step.settings.campaigns()) {
            step.wakeAt(step.campaignsAtNanos);
        }
        if (algorithm.retries(round)) {
            step.wakeAt(algorithm.retryAtNanos(round));
        }
    }

    private void giveUp() {
        RoundState round = step.round;
        if (round != null && step.leaderState == null && step.isDue(round.giveUpAtNanos())) {
            step.vainRounds = Math.min(step.vainRounds + 1, MAX_DOUBLINGS);
            openNext();
        }
    }
}
