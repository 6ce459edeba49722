package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of a ring machine. Only the machine creates a state. The driver stores and reads it. */
public final class RingState {

    /**
     * The value of {@code joined} before the member has installed a view. The value is negative, because the number of
     * the first view can be 0.
     */
    static final long NOT_JOINED = -1;

    final Member me;
    final @Nullable RingPosition position;
    final long joined;
    final List<ViewId> past;
    final List<Held> held;
    final @Nullable RoundState round;
    final @Nullable LeaderState leaderState;
    final Succession.@Nullable PendingTransfer pendingTransfer;
    final Term seen;
    final KnownLeader knownLeader;
    final VersionedState saved;
    final int vainRounds;
    final long campaignsAtNanos;
    final boolean willing;
    final boolean abstains;
    final boolean gone;

    /** A message of a view that is not installed yet. */
    record Held(Member from, RingMessage message, long untilNanos) {}

    /**
     * The known leader and its last heartbeat. This member can be the leader.
     *
     * @param term the term of the leader, or {@link Term#NONE} before the first heartbeat
     * @param sequence the number of the leader's last heartbeat
     * @param named true if the creator of the term still counts as the leader
     * @param untilNanos the time at which a follower stops regarding the leader as present, unless another heartbeat
     *     arrives
     */
    record KnownLeader(Term term, long sequence, boolean named, long untilNanos) {
        static final KnownLeader NOBODY = new KnownLeader(Term.NONE, 0, false, 0);

        KnownLeader unnamed() {
            return new KnownLeader(term, sequence, false, untilNanos);
        }
    }

    private RingState(Member me) {
        this.me = me;
        this.position = null;
        this.joined = NOT_JOINED;
        this.past = List.of();
        this.held = List.of();
        this.round = null;
        this.leaderState = null;
        this.pendingTransfer = null;
        this.seen = Term.NONE;
        this.knownLeader = KnownLeader.NOBODY;
        this.saved = VersionedState.NONE;
        this.vainRounds = 0;
        this.willing = true;
        this.abstains = false;
        this.campaignsAtNanos = 0;
        this.gone = false;
    }

    /** Creates the state after a step. */
    RingState(RingStepContext step) {
        this.me = step.me;
        this.position = step.position;
        this.joined = step.joined;
        this.past = step.past;
        this.held = List.copyOf(step.held);
        this.round = step.round;
        this.leaderState = step.leaderState;
        this.pendingTransfer = step.pendingTransfer;
        this.seen = step.seen;
        this.knownLeader = step.knownLeader;
        this.saved = step.saved;
        this.vainRounds = step.vainRounds;
        this.willing = step.willing;
        this.abstains = step.abstains;
        this.campaignsAtNanos = step.campaignsAtNanos;
        this.gone = step.gone;
    }

    /** Returns the initial state: no view and no leader. */
    static RingState begin(Member me) {
        return new RingState(me);
    }

    public Member me() {
        return me;
    }

    /** Returns the installed view, which contains this member; empty if no view is installed. */
    public Optional<View> view() {
        return Optional.ofNullable(position).map(RingPosition::view);
    }

    /** Returns the number of the round within the view, from 0. */
    public long round() {
        return round == null ? 0 : round.number();
    }

    /** Returns the term in which this member leads. The member leads only while {@link #remainingAt} is positive. */
    public Optional<Term> leading() {
        return Optional.ofNullable(leaderState).map(LeaderState::term);
    }

    /**
     * Returns how long this member leads without another confirmation. The result is zero if this member does not lead.
     *
     * <p>Call this method before each use of the leadership, because the result decreases with time.
     */
    public Duration remainingAt(Moment now) {
        return leaderState == null ? Duration.ZERO : leaderState.remainingAt(now);
    }

    /**
     * Returns the send time of the message that last confirmed this leader. After a won round, the result can be an
     * earlier time. The result is empty if this member does not lead.
     */
    public Optional<Moment> confirmedAt() {
        return Optional.ofNullable(leaderState).map(LeaderState::confirmedAt);
    }

    /** Returns the number of stored messages that belong to views that are not installed yet. */
    public int buffered() {
        return held.size();
    }

    /** Returns the term of the known leader, which is the creator of the term. */
    public Optional<Term> leader() {
        return knownLeader.named() ? Optional.of(knownLeader.term()) : Optional.empty();
    }

    /**
     * Returns the number of the leader's last heartbeat that this member has received. The result is 0 before the first
     * heartbeat.
     *
     * <p>A leader numbers its heartbeats from 1 in each term. While this member leads, the number changes only when a
     * term begins or when this member wins a round.
     */
    public long lastHeartbeat() {
        return knownLeader.sequence();
    }

    /**
     * Returns true if this member has not withdrawn and no cooldown is running. The method ignores
     * {@link RingSettings#campaigns()}.
     */
    public boolean campaigns(Moment now) {
        return willing && !(abstains && campaignsAtNanos - now.nanos() > 0);
    }

    /** Returns the newest saved state that this member has received, or saved as the leader. */
    public VersionedState saved() {
        return saved;
    }

    /** Returns the greatest term that this member has received or started. */
    public Term seen() {
        return seen;
    }
}
