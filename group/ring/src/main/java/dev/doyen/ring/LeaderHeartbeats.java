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
import dev.doyen.ring.RingState.KnownLeader;
import java.util.Optional;

/** The rules for a leader and its heartbeats, at the leader and at its followers (R6 to R9). */
final class LeaderHeartbeats {

    private final RingStepContext step;

    LeaderHeartbeats(RingStepContext step) {
        this.step = step;
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
        RoundState round = step.round;
        if (round == null) {
            return;
        }
        if (!round.mine().campaigns()) {
            step.round = round.asDecided();
            return;
        }
        if (!step.campaigns()) {
            // This member campaigned when the round began, and has resigned or withdrawn since (rule R12).
            step.rounds.openNext();
            return;
        }
        var fresh = LeaderState.begin(Term.NONE, sentAt, step.timing.leaderLease());
        if (!fresh.holdsAt(step.now)) {
            return;
        }
        step.learn(passed.term());
        LeaderState leaderState = step.leaderState;
        if (leaderState != null && step.isStale(leaderState.term())) {
            stepDown(LossCause.SUPERSEDED);
            leaderState = null;
        }
        if (leaderState == null && step.states.awaits(round, sentAt, passed)) {
            return;
        }
        step.round = round.asDecided();
        step.vainRounds = 0;
        if (leaderState != null) {
            recover(leaderState);
            leaderState = leaderState.confirmedAgain(sentAt);
        } else {
            Term term = step.seen.next(step.me);
            step.learn(term);
            leaderState = LeaderState.begin(term, sentAt, step.timing.leaderLease());
            step.saved = step.saved.beginning(term);
            step.effect(new Lead(term));
        }
        step.leaderState = leaderState;
        heartbeat(leaderState, true);
        hear(leaderState.term(), leaderState.sequence());
    }

    /** Sends the leader's next heartbeat, if it is due. */
    void sendIfDue() {
        LeaderState leaderState = step.leaderState;
        if (leaderState != null && sendsHeartbeats() && step.isDue(leaderState.heartbeatAtNanos())) {
            heartbeat(leaderState, false);
        }
    }

    /** Reports jeopardy if no heartbeat has returned for half of the leader lease. */
    void doubt() {
        LeaderState leaderState = step.leaderState;
        if (leaderState != null && !leaderState.doubted() && step.isDue(leaderState.doubtAtNanos())) {
            step.leaderState = leaderState.asDoubted();
            step.effect(new RingEffect.Jeopardy(leaderState.term(), leaderState.remainingAt(step.now)));
        }
    }

    void recover(LeaderState before) {
        if (before.doubted()) {
            step.effect(new RingEffect.Recovered(before.term()));
        }
    }

    /**
     * Returns true if no round is open.
     *
     * <p>A leader sends no heartbeat during a round, because members would take the round as decided.
     */
    boolean sendsHeartbeats() {
        return step.round != null && step.round.decided();
    }

    void received(RingPosition position, Member from, RingMessage.OfLeader heartbeat) {
        Term term = heartbeat.term();
        LeaderState leaderState = step.leaderState;
        if (step.me.equals(term.creator())) {
            if (leaderState != null && leaderState.term().equals(term)) {
                LeaderState after = leaderState.returned(heartbeat.sequence());
                if (!after.doubted()) {
                    recover(leaderState);
                }
                step.leaderState = after;
                heartbeat.saved().ifPresent(saved -> step.states.returned(saved.id()));
            } else {
                step.viewChanges.drop(from, heartbeat, Why.PAST);
            }
            return;
        }
        if (step.isStale(term)) {
            Member leader = term.creator();
            if (leader != null && position.view().has(leader)) {
                step.effect(
                        new Send(leader, new RingMessage.Nack(position.view().id(), step.seen)));
            }
            step.viewChanges.drop(from, heartbeat, Why.PAST);
            return;
        }
        if (term.equals(step.knownLeader.term()) && heartbeat.sequence() <= step.knownLeader.sequence()) {
            step.viewChanges.drop(from, heartbeat, Why.REPEATED);
            return;
        }
        stepDown(LossCause.SUPERSEDED);
        step.learn(term);
        step.states.received(heartbeat);
        hear(term, heartbeat.sequence());
        step.vainRounds = 0;
        RoundState round = step.round;
        if (round != null) {
            step.round = round.asDecided().givingUpAt(step.knownLeader.untilNanos());
        }
        step.sendOn(heartbeat);
    }

    void nacked(Member from, RingMessage.Nack nack) {
        RingPosition position = step.position;
        if (position == null || !position.view().has(from)) {
            step.viewChanges.drop(from, nack, Why.NOT_FROM_PREDECESSOR);
            return;
        }
        step.learn(nack.term());
        LeaderState leaderState = step.leaderState;
        if (leaderState != null && leaderState.term().compareTo(nack.term()) < 0) {
            stepDown(LossCause.SUPERSEDED);
            if (nack.view().equals(position.view().id())) {
                step.rounds.openNext();
            }
        }
    }

    /** Stops a leader here before it forwards a greater key (rule R9). */
    void outrank(RoundState round, Key key) {
        if (key.isGreaterThan(round.mine())) {
            stepDown(LossCause.SUPERSEDED);
        }
    }

    /** Stops a leader whose leader lease has passed, before any input is processed (rules R7, R8). */
    void enforceDeadline() {
        LeaderState leaderState = step.leaderState;
        if (leaderState != null && !leaderState.holdsAt(step.now)) {
            stepDown(leaderState.wasSuspendedAt(step.now) ? LossCause.SUSPENDED : LossCause.EXPIRED);
            step.rounds.openNext();
        }
    }

    /** Stops leading, if this member leads. */
    void stepDown(LossCause cause) {
        LeaderState leaderState = step.leaderState;
        if (leaderState != null) {
            step.leaderState = null;
            step.effect(new StepDown(leaderState.term(), cause));
            reportNoLeader();
        }
    }

    void reportNoLeader() {
        if (step.knownLeader.named()) {
            step.knownLeader = step.knownLeader.unnamed();
            step.effect(new LeaderChanged(Optional.empty()));
        }
    }

    void hear(Term term, long sequence) {
        boolean news = !step.knownLeader.named() || !step.knownLeader.term().equals(term);
        step.knownLeader = new KnownLeader(term, sequence, true, followed());
        step.succession.succeeded(term);
        if (news) {
            step.effect(new LeaderChanged(Optional.of(term)));
        }
    }

    private long followed() {
        return step.now.nanos() + step.timing.electionTimeout().toNanos();
    }

    void heartbeat(LeaderState leaderState, boolean first) {
        RingPosition position = step.position;
        RoundState round = step.round;
        if (position == null || round == null) {
            return;
        }
        long sequence = leaderState.sequence() + 1;
        LeaderState sent = leaderState.sending(
                sequence,
                step.now,
                step.now.nanos() + step.timing.heartbeatInterval().toNanos());
        step.leaderState = sent;
        Optional<VersionedState> saved = sent.sendsState() ? Optional.of(step.saved) : Optional.empty();
        if (position.isAlone(step.me)) {
            recover(leaderState);
            step.leaderState = sent.returned(sequence);
            saved.ifPresent(each -> step.states.returned(each.id()));
            return;
        }
        ViewId view = position.view().id();
        step.sendOn(
                first
                        ? new RingMessage.Elected(view, round.number(), sent.term(), sequence, saved)
                        : new RingMessage.Heartbeat(view, round.number(), sent.term(), sequence, saved));
    }
}
