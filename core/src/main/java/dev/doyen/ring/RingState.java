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
    final @Nullable Ballot ballot;
    final @Nullable Reign reign;
    final @Nullable Reign bid;
    final Vote vote;
    final int granted;
    final Succession.@Nullable Bequest bequest;
    final Term seen;
    final Heard heard;
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

    RingState(
            Member me,
            @Nullable Seat seat,
            long joined,
            List<ViewId> past,
            List<Held> held,
            @Nullable Ballot ballot,
            @Nullable Reign reign,
            @Nullable Reign bid,
            Vote vote,
            int granted,
            Succession.@Nullable Bequest bequest,
            Term seen,
            Heard heard,
            int vainRounds,
            boolean willing,
            boolean abstains,
            long standsAtNanos,
            boolean gone) {
        this.me = me;
        this.seat = seat;
        this.joined = joined;
        this.past = past;
        this.held = held;
        this.ballot = ballot;
        this.reign = reign;
        this.bid = bid;
        this.vote = vote;
        this.granted = granted;
        this.bequest = bequest;
        this.seen = seen;
        this.heard = heard;
        this.vainRounds = vainRounds;
        this.willing = willing;
        this.abstains = abstains;
        this.standsAtNanos = standsAtNanos;
        this.gone = gone;
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
        return ballot == null ? 0 : ballot.round();
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

    /** The term for which this member asks the voters; quorum mode only. */
    public Optional<Term> asking() {
        return Optional.ofNullable(bid).map(Reign::term);
    }

    /** The voters that granted this member's last lap that came home, by {@link Electorate#bitOf}. */
    public int granted() {
        return granted;
    }

    /** The greatest term this member knows of. */
    public Term seen() {
        return seen;
    }
}
