package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingState.Held;
import dev.doyen.ring.RingState.KnownLeader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The step context: a mutable copy of the state, and the effects of the step so far.
 *
 * <p>Lives for one {@link RingMachine#step}. Only the rules of this package use it, such as {@link ViewChanges},
 * {@link Rounds}, {@link LeaderHeartbeats} and the algorithms.
 */
final class RingStepContext {

    final RingSettings settings;
    final RingTiming timing;
    final Member me;
    final Moment now;

    final ViewChanges viewChanges = new ViewChanges(this);
    final Rounds rounds = new Rounds(this);
    final LeaderHeartbeats heartbeats = new LeaderHeartbeats(this);
    final Succession succession = new Succession(this);
    final StateTransfer states = new StateTransfer(this);
    final Algorithm algorithm;

    @Nullable
    RingPosition position;

    long joined;
    List<ViewId> past;
    final List<Held> held;

    @Nullable
    RoundState round;

    @Nullable
    LeaderState leaderState;

    Succession.@Nullable PendingTransfer pendingTransfer;

    Term seen;
    KnownLeader knownLeader;
    VersionedState saved;
    int vainRounds;
    boolean willing;
    boolean abstains;
    long campaignsAtNanos;
    boolean gone;

    private final List<RingEffect> effects = new ArrayList<>();

    RingStepContext(RingSettings settings, RingState state, Moment now) {
        this.settings = settings;
        this.timing = settings.timing();
        this.me = state.me;
        this.now = now;
        this.algorithm = settings.algorithm() == RingAlgorithm.PETERSON ? new Peterson(this) : new ChangRoberts(this);
        this.position = state.position;
        this.joined = state.joined;
        this.past = state.past;
        this.held = new ArrayList<>(state.held);
        this.round = state.round;
        this.leaderState = state.leaderState;
        this.pendingTransfer = state.pendingTransfer;
        this.seen = state.seen;
        this.knownLeader = state.knownLeader;
        this.saved = state.saved;
        this.vainRounds = state.vainRounds;
        this.willing = state.willing;
        this.abstains = state.abstains;
        this.campaignsAtNanos = state.campaignsAtNanos;
        this.gone = state.gone;
    }

    RingStep finish() {
        return new RingStep(new RingState(this), effects, wakeAtNanos());
    }

    void effect(RingEffect effect) {
        effects.add(effect);
    }

    void sendOn(RingMessage message) {
        if (position != null) {
            effects.add(new RingEffect.Send(position.after(), message));
        }
    }

    void learn(Term term) {
        seen = seen.orLater(term);
    }

    boolean campaigns() {
        return settings.campaigns() && willing && !(abstains && !isDue(campaignsAtNanos));
    }

    /** Returns true if this member has seen a greater term. */
    boolean isStale(Term term) {
        return term.compareTo(seen) < 0;
    }

    /** Returns the information that an election message collects from this member. */
    Passed passed() {
        return new Passed(seen, saved.at(me));
    }

    boolean isDue(long atNanos) {
        return now.nanos() - atNanos >= 0;
    }

    /** Returns {@code base}, doubled {@code times} times, but at most {@code most}. */
    static long doubled(long base, int times, long most) {
        return times >= 30 ? most : Math.min(most, base << times);
    }

    /** Returns the next time at which a step is due without any other input. */
    private long wakeAtNanos() {
        long delay = Long.MAX_VALUE;
        for (Held message : held) {
            delay = sooner(delay, message.untilNanos());
        }
        if (leaderState != null) {
            delay = sooner(delay, now.nanos() + leaderState.remainingAt(now).toNanos());
            if (!leaderState.doubted()) {
                delay = sooner(delay, leaderState.doubtAtNanos());
            }
            if (heartbeats.sendsHeartbeats()) {
                delay = sooner(delay, leaderState.heartbeatAtNanos());
            }
        } else if (knownLeader.named()) {
            delay = sooner(delay, knownLeader.untilNanos());
        }
        if (pendingTransfer != null) {
            delay = sooner(delay, pendingTransfer.untilNanos());
        }
        if (round != null) {
            if (leaderState == null) {
                delay = sooner(delay, round.giveUpAtNanos());
            }
            if (rounds.campaignsAgainLater()) {
                delay = sooner(delay, campaignsAtNanos);
            }
            if (algorithm.retries(round)) {
                delay = sooner(delay, algorithm.retryAtNanos(round));
            }
        }
        return delay == Long.MAX_VALUE ? Long.MAX_VALUE : now.nanos() + delay;
    }

    private long sooner(long delay, long atNanos) {
        return Math.min(delay, Math.max(0, atNanos - now.nanos()));
    }
}
