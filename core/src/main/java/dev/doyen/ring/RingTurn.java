package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.ViewId;
import dev.doyen.ring.RingState.Heard;
import dev.doyen.ring.RingState.Held;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step in the making: the state's parts, as the rules change them, and the effects gathered on the way. Lives for the
 * length of one {@link RingMachine#step}; only this package's rules ({@link Seating}, {@link Rounds}, {@link Laps}, the
 * algorithms) touch it.
 */
final class RingTurn {

    final RingSettings settings;
    final RingTiming timing;
    final Member me;
    final Moment now;

    final Seating seating = new Seating(this);
    final Rounds rounds = new Rounds(this);
    final Laps laps = new Laps(this);
    final Voting voting = new Voting(this);
    final Bids bids = new Bids(this);
    final Succession succession = new Succession(this);
    final Algorithm algorithm;

    /** The voters, in quorum mode; null in AP mode. */
    final @Nullable Electorate electorate;

    @Nullable
    Seat seat;

    long joined;
    List<ViewId> past;
    final List<Held> held;

    @Nullable
    Ballot ballot;

    @Nullable
    Reign reign;

    /** A leadership that the voters are asked for: it holds for nothing yet. */
    @Nullable
    Reign bid;

    Vote vote;
    int granted;

    Succession.@Nullable Bequest bequest;

    Term seen;
    Heard heard;
    int vainRounds;
    boolean willing;
    boolean abstains;
    long standsAtNanos;
    boolean gone;

    private final List<RingEffect> effects = new ArrayList<>();

    RingTurn(RingSettings settings, RingState state, Moment now) {
        this.settings = settings;
        this.timing = settings.timing();
        this.electorate = settings.electorate().orElse(null);
        this.me = state.me;
        this.now = now;
        this.algorithm = settings.algorithm() == RingAlgorithm.PETERSON ? new Peterson(this) : new ChangRoberts(this);
        this.seat = state.seat;
        this.joined = state.joined;
        this.past = state.past;
        this.held = new ArrayList<>(state.held);
        this.ballot = state.ballot;
        this.reign = state.reign;
        this.bid = state.bid;
        this.vote = state.vote;
        this.granted = state.granted;
        this.bequest = state.bequest;
        this.seen = state.seen;
        this.heard = state.heard;
        this.vainRounds = state.vainRounds;
        this.willing = state.willing;
        this.abstains = state.abstains;
        this.standsAtNanos = state.standsAtNanos;
        this.gone = state.gone;
    }

    RingStep finish() {
        var next = new RingState(
                me,
                seat,
                joined,
                past,
                List.copyOf(held),
                ballot,
                reign,
                bid,
                vote,
                granted,
                bequest,
                seen,
                heard,
                vainRounds,
                willing,
                abstains,
                standsAtNanos,
                gone);
        return new RingStep(next, effects, wakeAtNanos());
    }

    void effect(RingEffect effect) {
        effects.add(effect);
    }

    void sendOn(RingMessage message) {
        if (seat != null) {
            effects.add(new RingEffect.Send(seat.after(), message));
        }
    }

    void learn(Term term) {
        seen = seen.orLater(term);
    }

    boolean stands() {
        return settings.stands() && willing && !(abstains && !isDue(standsAtNanos)) && bids.isQuorate();
    }

    /** Whether a leader in this term would be of the past. In quorum mode a number belongs to one member only. */
    boolean isStale(Term term) {
        return outdates(seen, term);
    }

    boolean outdates(Term known, Term term) {
        boolean isTaken = electorate != null && term.counter() == known.counter() && !term.equals(known);
        return isTaken || term.compareTo(known) < 0;
    }

    boolean isDue(long atNanos) {
        return now.nanos() - atNanos >= 0;
    }

    /** {@code base}, doubled {@code times} times, but no more than {@code most}. */
    static long doubled(long base, int times, long most) {
        return times >= 30 ? most : Math.min(most, base << times);
    }

    /** The next moment at which time alone changes anything. */
    private long wakeAtNanos() {
        long delay = Long.MAX_VALUE;
        for (Held message : held) {
            delay = sooner(delay, message.untilNanos());
        }
        if (reign != null) {
            delay = sooner(delay, now.nanos() + reign.remainingAt(now).toNanos());
            if (!reign.doubted()) {
                delay = sooner(delay, reign.doubtAtNanos());
            }
            if (laps.beats()) {
                delay = sooner(delay, reign.beatAtNanos());
            }
        } else if (heard.named()) {
            delay = sooner(delay, heard.untilNanos());
        }
        if (bid != null) {
            delay = sooner(delay, bid.beatAtNanos());
        }
        if (bequest != null) {
            delay = sooner(delay, bequest.untilNanos());
        }
        if (ballot != null) {
            if (reign == null) {
                delay = sooner(delay, ballot.giveUpAtNanos());
            }
            if (rounds.standsAgainLater()) {
                delay = sooner(delay, standsAtNanos);
            }
            if (algorithm.retries(ballot)) {
                delay = sooner(delay, algorithm.retryAtNanos(ballot));
            }
        }
        return delay == Long.MAX_VALUE ? Long.MAX_VALUE : now.nanos() + delay;
    }

    private long sooner(long delay, long atNanos) {
        return Math.min(delay, Math.max(0, atNanos - now.nanos()));
    }
}
