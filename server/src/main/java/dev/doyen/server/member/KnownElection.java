package dev.doyen.server.member;

import dev.doyen.Candidate;
import dev.doyen.Leadership;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.Explanation.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one election of this process, as it is told to others. That the own candidate leads is asked of it at each
 * question, so that a process which stood still does not tell of a leadership that has run out.
 *
 * <p>Threads: any may ask; the candidate's callbacks write.
 */
final class KnownElection implements Elections {

    /** Not why nobody leads: somebody does by now, or does again. */
    private static final Set<Reason> LED = EnumSet.of(Reason.LEADING, Reason.IN_JEOPARDY, Reason.HELD);

    private final String election;

    /** Replaced as a whole. */
    private volatile Known known;

    private final Supplier<Optional<Instant>> lastHeard;
    private final Duration lead;
    private final InstantSource clock;

    private volatile @Nullable Candidate candidate;

    private record Known(Optional<Leader> leader, long lastTerm, Instant since) {}

    /**
     * Nothing is known yet.
     *
     * @param lastHeard when the leader that is named was last heard to lead, if it is another
     * @param lead for how long a leader leads after what confirmed it
     * @param clock the wall clock
     */
    KnownElection(String election, Supplier<Optional<Instant>> lastHeard, Duration lead, InstantSource clock) {
        this.clock = clock;
        this.known = new Known(Optional.empty(), 0, clock.instant());
        this.election = election;
        this.lastHeard = lastHeard;
        this.lead = lead;
    }

    /** From here on there is something to know. */
    void open(Candidate own) {
        candidate = own;
    }

    Optional<Candidate> candidate() {
        return Optional.ofNullable(candidate);
    }

    /** This leader is known from now on, or none is; returns whether that is new. */
    synchronized boolean report(Optional<Leader> leader) {
        if (leader.equals(known.leader)) {
            return false;
        }
        long term = leader.map(Leader::term).orElse(known.lastTerm);
        known = new Known(leader, Math.max(term, known.lastTerm), clock.instant());
        return true;
    }

    boolean isKnown() {
        return known.leader.isPresent();
    }

    @Override
    public Optional<ElectionView> find(String name) {
        return name.equals(election) ? view() : Optional.empty();
    }

    @Override
    public List<ElectionView> list() {
        return view().stream().toList();
    }

    /** Empty before this process is a member. */
    Optional<ElectionView> view() {
        return candidate().map(own -> view(own, known));
    }

    private ElectionView view(Candidate own, Known now) {
        Optional<Leadership> leadership = own.leadership();
        boolean isOwn = now.leader.map(Leader::id).filter(own.id()::equals).isPresent();
        Optional<Leader> told = isOwn && leadership.isEmpty() ? Optional.empty() : now.leader;
        return new ElectionView(
                election,
                told,
                told.map(Leader::term).orElse(now.lastTerm),
                now.since,
                confirmed(now, isOwn ? leadership.map(Leadership::remaining) : Optional.empty()),
                isOwn ? leadership.map(Leadership::remaining) : Optional.empty(),
                Optional.empty(),
                told.isPresent() ? Optional.empty() : noLeader(own));
    }

    private static Optional<Explanation> noLeader(Candidate own) {
        return Optional.of(own.explain()).filter(why -> !LED.contains(why.reason()));
    }

    /**
     * A leader knows it by what came back, which counts from its sending; the others by what they heard of it last. That nobody leads is
     * confirmed by nothing, and so as old as its beginning.
     */
    private Instant confirmed(Known now, Optional<Duration> remaining) {
        Instant confirmed = remaining
                .map(left -> clock.instant().minus(lead).plus(left))
                .or(() -> now.leader.isPresent() ? lastHeard.get() : Optional.empty())
                .orElse(now.since);
        return confirmed.isBefore(now.since) ? now.since : confirmed;
    }
}
