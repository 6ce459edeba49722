package dev.doyen.ring;

import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.LeaderState.SentHeartbeat;
import dev.doyen.ring.RingEffect.Lead;
import dev.doyen.ring.RingEffect.LeaderChanged;
import dev.doyen.ring.RingEffect.Send;
import dev.doyen.ring.RingEffect.StepDown;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RingState.KnownLeader;
import java.util.Optional;

/** The rules R6 to R9, for a leader and its heartbeats. The leader and its followers use this class. */
final class LeaderHeartbeats {

    private final RingStepContext step;
    private final StateTransfer states;

    LeaderHeartbeats(RingStepContext step, StateTransfer states) {
        this.step = step;
        this.states = states;
    }

    /** Returns true if a leader lease that starts at this send time has not expired (rule R8). */
    boolean confirms(Moment sentAt) {
        return LeaderState.begin(Term.NONE, sentAt, step.timing.leaderLease()).holdsAt(step.now);
    }

    /** Begins a new term of this member, or confirms the present term (rule R6). Marks the round as decided. */
    void lead(RoundState round, Moment sentAt) {
        step.round = round.asDecided();
        step.vainRounds = 0;
        LeaderState leaderState = step.leaderState;
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
        nameLeader(leaderState.term(), leaderState.sent().sequence());
    }

    /** Ends this member's leadership if this member has received a greater term (rule R9). */
    void stepDownIfStale() {
        if (step.leaderState != null && step.isStale(step.leaderState.term())) {
            stepDown(LossCause.SUPERSEDED);
        }
    }

    /**
     * Saves a state, if this member leads in this term (rule T1). Then sends a heartbeat with the state, unless a round
     * is open or a heartbeat with an earlier state has not returned yet.
     */
    void save(long term, long version, SavedState state) {
        if (states.save(term, version, state)) {
            sendState();
        }
    }

    private void sendState() {
        if (step.leaderState != null && sendsHeartbeats()) {
            heartbeat(step.leaderState, false);
        }
    }

    /** Sends the leader's next heartbeat, if it is due. */
    void sendIfDue() {
        LeaderState leaderState = step.leaderState;
        if (leaderState != null
                && sendsHeartbeats()
                && step.isDue(leaderState.sent().nextAtNanos())) {
            heartbeat(leaderState, false);
        }
    }

    /** Reports jeopardy if half of the leader lease has passed (rule R7). */
    void doubt() {
        LeaderState leaderState = step.leaderState;
        if (leaderState != null && !leaderState.doubted() && step.isDue(leaderState.doubtAtNanos())) {
            step.leaderState = leaderState.asDoubted();
            step.effect(new RingEffect.Jeopardy(leaderState.term(), leaderState.remainingAt(step.now)));
        }
    }

    private void recover(LeaderState before) {
        if (before.doubted()) {
            step.effect(new RingEffect.Recovered(before.term()));
        }
    }

    /**
     * Returns true if the present round is decided.
     *
     * <p>A leader sends no heartbeat during an open round, because a heartbeat would make other members treat the round
     * as decided.
     */
    private boolean sendsHeartbeats() {
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
                if (heartbeat.saved().isPresent()
                        && states.returned(heartbeat.saved().get().id())) {
                    sendState();
                }
            } else {
                step.drop(from, heartbeat, Why.PAST);
            }
            return;
        }
        if (step.isStale(term)) {
            Member leader = term.creator();
            if (leader != null && position.view().has(leader)) {
                step.effect(
                        new Send(leader, new RingMessage.Nack(position.view().id(), step.seen)));
            }
            step.drop(from, heartbeat, Why.PAST);
            return;
        }
        if (term.equals(step.knownLeader.term()) && heartbeat.sequence() <= step.knownLeader.sequence()) {
            step.drop(from, heartbeat, Why.REPEATED);
            return;
        }
        stepDown(LossCause.SUPERSEDED);
        step.learn(term);
        states.received(heartbeat);
        nameLeader(term, heartbeat.sequence());
        step.vainRounds = 0;
        RoundState round = step.round;
        if (round != null) {
            step.round = round.asDecided().givingUpAt(step.knownLeader.untilNanos());
        }
        step.sendOn(heartbeat);
    }

    /**
     * Ends this member's leadership if another member has received a greater term (rule R9).
     *
     * @return true if the leadership has ended and this member must open the next round of its view
     */
    boolean nacked(Member from, RingMessage.Nack nack) {
        RingPosition position = step.position;
        if (position == null || !position.view().has(from)) {
            step.drop(from, nack, Why.NOT_FROM_PREDECESSOR);
            return false;
        }
        step.learn(nack.term());
        LeaderState leaderState = step.leaderState;
        if (leaderState != null && leaderState.term().compareTo(nack.term()) < 0) {
            stepDown(LossCause.SUPERSEDED);
            return nack.view().equals(position.view().id());
        }
        return false;
    }

    /** Ends the leadership of this member if {@code key} is greater than the member's own key (rule R9). */
    void outrank(RoundState round, Key key) {
        if (key.isGreaterThan(round.mine())) {
            stepDown(LossCause.SUPERSEDED);
        }
    }

    /**
     * Ends the leadership of this member if its leader lease has expired (rules R7, R8).
     *
     * @return true if the leadership has ended and this member must open the next round
     */
    boolean enforceDeadline() {
        LeaderState leaderState = step.leaderState;
        if (leaderState != null && !leaderState.holdsAt(step.now)) {
            stepDown(leaderState.wasSuspendedAt(step.now) ? LossCause.SUSPENDED : LossCause.EXPIRED);
            return true;
        }
        return false;
    }

    /** Ends the leadership of this member, if this member leads. */
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

    private void nameLeader(Term term, long sequence) {
        boolean changed = !step.knownLeader.named() || !step.knownLeader.term().equals(term);
        step.knownLeader = new KnownLeader(term, sequence, true, followed());
        if (changed) {
            step.effect(new LeaderChanged(Optional.of(term)));
        }
    }

    private long followed() {
        return step.now.nanos() + step.timing.electionTimeout().toNanos();
    }

    void setTimers() {
        LeaderState leaderState = step.leaderState;
        if (leaderState == null) {
            return;
        }
        step.wakeAt(step.now.nanos() + leaderState.remainingAt(step.now).toNanos());
        if (!leaderState.doubted()) {
            step.wakeAt(leaderState.doubtAtNanos());
        }
        if (sendsHeartbeats()) {
            step.wakeAt(leaderState.sent().nextAtNanos());
        }
    }

    private void heartbeat(LeaderState leaderState, boolean first) {
        RingPosition position = step.position;
        RoundState round = step.round;
        if (position == null || round == null) {
            return;
        }
        long sequence = leaderState.sent().sequence() + 1;
        LeaderState sent = leaderState.sending(
                new SentHeartbeat(sequence, step.now),
                step.now.nanos() + step.timing.heartbeatInterval().toNanos());
        step.leaderState = sent;
        Optional<VersionedState> saved = sent.sendsState() ? Optional.of(step.saved) : Optional.empty();
        if (position.isAlone(step.me)) {
            recover(leaderState);
            step.leaderState = sent.returned(sequence);
            saved.ifPresent(each -> states.returned(each.id()));
            return;
        }
        ViewId view = position.view().id();
        step.sendOn(
                first
                        ? new RingMessage.Elected(view, round.number(), sent.term(), sequence, saved)
                        : new RingMessage.Heartbeat(view, round.number(), sent.term(), sequence, saved));
    }
}
