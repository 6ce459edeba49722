package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.group.settings.RingTiming;
import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingEffect.Why;
import dev.doyen.ring.RingState.Held;
import dev.doyen.ring.RingState.KnownLeader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mutable data of one {@link RingMachine#step}. The data are a copy of the state, the effects so far, and the next
 * wake time.
 *
 * <p>The rule classes of this package read and write this context. The context calls no rule.
 */
final class RingStepContext {

    final RingSettings settings;
    final RingTiming timing;
    final Member me;
    final Moment now;

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
    private long wakeInNanos = Long.MAX_VALUE;

    RingStepContext(RingSettings settings, RingState state, Moment now) {
        this.settings = settings;
        this.timing = settings.timing();
        this.me = state.me;
        this.now = now;
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
        long wakeAtNanos = wakeInNanos == Long.MAX_VALUE ? Long.MAX_VALUE : now.nanos() + wakeInNanos;
        return new RingStep(new RingState(this), effects, wakeAtNanos);
    }

    void effect(RingEffect effect) {
        effects.add(effect);
    }

    /** Drops a message, and reports the reason. */
    void drop(Member from, RingMessage message, Why why) {
        effects.add(new RingEffect.Dropped(from, message, why));
    }

    /** Requests that the next step takes place at this time or earlier. */
    void wakeAt(long atNanos) {
        wakeInNanos = Math.min(wakeInNanos, Math.max(0, atNanos - now.nanos()));
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

    /** Returns true if this member has received a greater term. */
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

    /** Returns {@code base} times two to the power of {@code times}, but at most {@code most}. */
    static long doubled(long base, int times, long most) {
        return times >= 30 ? most : Math.min(most, base << times);
    }
}
