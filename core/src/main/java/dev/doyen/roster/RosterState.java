package dev.doyen.roster;

import dev.doyen.event.Moment;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ranking.LeaderView;
import dev.doyen.ranking.RankingState;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a roster machine knows between two inputs. Only the machine makes one; a driver keeps it and asks who leads. */
public final class RosterState {

    final Member me;
    final RankingState ranking;
    final long rankingWakeAtNanos;
    final @Nullable View view;
    final Map<Member, Peer> peers;
    /** The last message of each member that spoke of a view which may come. */
    final Map<Member, RosterMessage> early;

    final Entry entry;
    /** Whether all members of the view have heard the entry: only then does this member see it itself. */
    final boolean echoed;

    /** Whether the claim in the entry was given up before all had heard it. */
    final boolean abandoned;

    final boolean complete;

    /** Whether a leader it names may be one of a view that it was in before. */
    final boolean blind;

    final Optional<LeaderView> named;

    /** Whether some have not answered for so long that its driver was told. */
    final boolean doubted;

    final boolean gone;
    final long number;
    /** The number under which the entry was first said in this view. */
    final long entryNumber;

    final List<Ping> pings;
    final long sayAgainAtNanos;

    /** A ping that not all members have answered. */
    record Ping(long number, Moment sent) {}

    RosterState(Member me, RankingState ranking, Moment now) {
        this.me = me;
        this.ranking = ranking;
        this.rankingWakeAtNanos = Long.MAX_VALUE;
        this.view = null;
        this.peers = Map.of();
        this.early = Map.of();
        this.entry = Entry.absent(0);
        this.echoed = false;
        this.abandoned = false;
        this.complete = false;
        this.blind = true;
        this.named = Optional.empty();
        this.doubted = false;
        this.gone = false;
        this.number = 0;
        this.entryNumber = 0;
        this.pings = List.of();
        this.sayAgainAtNanos = now.nanos();
    }

    RosterState(RosterTurn turn) {
        this.me = turn.me;
        this.ranking = turn.ranking;
        this.rankingWakeAtNanos = turn.rankingWakeAtNanos;
        this.view = turn.view;
        // Their order is kept: it is that of what is sent, and the same input must have the same effects in every JVM.
        this.peers = Collections.unmodifiableMap(turn.peers);
        this.early = Collections.unmodifiableMap(turn.early);
        this.entry = turn.entry;
        this.echoed = turn.echoed;
        this.abandoned = turn.abandoned;
        this.complete = turn.complete;
        this.blind = turn.blind;
        this.named = turn.named;
        this.doubted = turn.doubted;
        this.gone = turn.gone;
        this.number = turn.number;
        this.entryNumber = turn.entryNumber;
        this.pings = List.copyOf(turn.pings);
        this.sayAgainAtNanos = turn.sayAgainAtNanos;
    }

    public Member me() {
        return me;
    }

    /** The view that is installed, with this member in it. */
    public Optional<View> view() {
        return Optional.ofNullable(view);
    }

    /** Whether every member of the view has said its entry in it and heard this member's (rule V3). */
    public boolean isComplete() {
        return complete;
    }

    /** Whether this member leads at that moment. To be asked before each act; false is only doubt. */
    public boolean leadsAt(Moment now) {
        return ranking.leadsAt(now);
    }

    /** For how long it may still count on leading; zero if it does not lead. */
    public Duration remainingAt(Moment now) {
        return ranking.remainingAt(now);
    }

    /** The term in which this member leads, while {@link #leadsAt} says so. */
    public OptionalLong leading() {
        return ranking.leading();
    }

    /** Whether this member would lead, as far as it is asked: false while it stands back, or has resigned lately. */
    public boolean standsAt(Moment now) {
        return ranking.standsAt(now);
    }

    /** Who has entered, itself included, as it sees them: what it saw last, while its sight of a view is not complete. */
    public Collection<dev.doyen.ranking.Member> entered() {
        return ranking.members();
    }

    /** Who has not heard yet what this member is, of the others in the view: while there are any, it has no sight. */
    public List<Member> silent() {
        return peers.entrySet().stream()
                .filter(peer -> peer.getValue().heard() < entryNumber)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The leader as this member sees it; nobody, if it is in no view. */
    public Optional<LeaderView> leader() {
        return named;
    }
}
