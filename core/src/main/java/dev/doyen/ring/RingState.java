package dev.doyen.ring;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.membership.ViewId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a ring machine knows between two inputs. Only the machine makes one; a driver keeps it and asks who leads. */
public final class RingState {

    /** Before the first view, whose number may be 0. */
    static final long NOT_JOINED = -1;

    final Member me;
    final @Nullable Seat seat;
    final long joined;
    final List<ViewId> past;
    final List<Held> held;
    final @Nullable RoundState round;
    final @Nullable Reign reign;
    final Succession.@Nullable Bequest bequest;
    final Term seen;
    final Heard heard;
    final SavedState saved;
    final int vainRounds;
    final long standsAtNanos;
    final boolean willing;
    final boolean abstains;
    final boolean gone;

    /** A message of a view that may come. */
    record Held(Member from, RingMessage message, long untilNanos) {}

    /**
     * What was heard of a leader, oneself included.
     *
     * @param term the term it leads in, or {@link Term#NONE} before any was heard
     * @param sequence of its last lap
     * @param named whether it is still taken for the leader
     * @param untilNanos until when, unless it is heard again
     */
    record Heard(Term term, long sequence, boolean named, long untilNanos) {
        static final Heard NOBODY = new Heard(Term.NONE, 0, false, 0);

        Heard unnamed() {
            return new Heard(term, sequence, false, untilNanos);
        }
    }

    private RingState(Member me) {
        this.me = me;
        this.seat = null;
        this.joined = NOT_JOINED;
        this.past = List.of();
        this.held = List.of();
        this.round = null;
        this.reign = null;
        this.bequest = null;
        this.seen = Term.NONE;
        this.heard = Heard.NOBODY;
        this.saved = SavedState.NONE;
        this.vainRounds = 0;
        this.willing = true;
        this.abstains = false;
        this.standsAtNanos = 0;
        this.gone = false;
    }

    /** The state after a step. */
    RingState(RingTurn turn) {
        this.me = turn.me;
        this.seat = turn.seat;
        this.joined = turn.joined;
        this.past = turn.past;
        this.held = List.copyOf(turn.held);
        this.round = turn.round;
        this.reign = turn.reign;
        this.bequest = turn.bequest;
        this.seen = turn.seen;
        this.heard = turn.heard;
        this.saved = turn.saved;
        this.vainRounds = turn.vainRounds;
        this.willing = turn.willing;
        this.abstains = turn.abstains;
        this.standsAtNanos = turn.standsAtNanos;
        this.gone = turn.gone;
    }

    /** No view, no leader. */
    static RingState begin(Member me) {
        return new RingState(me);
    }

    public Member me() {
        return me;
    }

    /** The view that is installed, with this member in it. */
    public Optional<View> view() {
        return Optional.ofNullable(seat).map(Seat::view);
    }

    /** The round within the view, from 0. */
    public long round() {
        return round == null ? 0 : round.number();
    }

    /** The term in which this member leads, while {@link #remainingAt} says so. */
    public Optional<Term> leading() {
        return Optional.ofNullable(reign).map(Reign::term);
    }

    /** For how long this member still leads without another confirmation; zero if it does not. Asked at each use. */
    public Duration remainingAt(Moment now) {
        return reign == null ? Duration.ZERO : reign.remainingAt(now);
    }

    /** When the message was sent whose coming home confirmed this member as the leader last; while it leads. */
    public Optional<Moment> confirmedAt() {
        return Optional.ofNullable(reign).map(Reign::confirmedAt);
    }

    /** How many messages of views that may come are kept until then. */
    public int buffered() {
        return held.size();
    }

    /** The leader as this member knows it: the creator of this term. */
    public Optional<Term> leader() {
        return heard.named() ? Optional.of(heard.term()) : Optional.empty();
    }

    /** Which lap of the leader was heard last, numbered within its term; of oneself, which was sent. 0 before any. */
    public long lastLap() {
        return heard.sequence();
    }

    /** Whether this member would lead, as far as it is asked: false while it stands back, or has resigned lately. */
    public boolean stands(Moment now) {
        return willing && !(abstains && standsAtNanos - now.nanos() > 0);
    }

    /** The newest saved state that has reached this member; of a leader, its own. */
    public SavedState saved() {
        return saved;
    }

    /** The greatest term this member knows of. */
    public Term seen() {
        return seen;
    }
}
