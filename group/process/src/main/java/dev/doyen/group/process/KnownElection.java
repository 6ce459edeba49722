package dev.doyen.group.process;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.group.RingCandidate;
import dev.doyen.group.RingLeadership;
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
 * The state of this process's election, as it is reported to others.
 *
 * <p>Each query asks the candidate whether it leads. So a process that was suspended does not report an expired
 * leadership.
 *
 * <p>Threads: any for reads; the candidate's callbacks write.
 */
final class KnownElection implements Elections {

    /** These reasons do not explain a missing leader, because by now there is one. */
    private static final Set<Reason> LED = EnumSet.of(Reason.LEADING, Reason.IN_JEOPARDY, Reason.HELD);

    private final String election;

    /** Immutable; replaced as a whole. */
    private volatile Known known;

    private final Supplier<Optional<Instant>> lastHeard;
    private final Duration lead;
    private final InstantSource clock;

    private volatile @Nullable RingCandidate candidate;

    private record Known(Optional<Leader> leader, long lastTerm, Instant since) {}

    /**
     * Creates the state without a known leader.
     *
     * @param lastHeard when the last heartbeat of the reported leader arrived, if another process leads
     * @param lead how long a leader leads after its last confirmation (leader lease)
     * @param clock the wall clock
     */
    KnownElection(String election, Supplier<Optional<Instant>> lastHeard, Duration lead, InstantSource clock) {
        this.clock = clock;
        this.known = new Known(Optional.empty(), 0, clock.instant());
        this.election = election;
        this.lastHeard = lastHeard;
        this.lead = lead;
    }

    /** Sets the candidate; before this, queries return nothing. */
    void open(RingCandidate own) {
        candidate = own;
    }

    Optional<RingCandidate> candidate() {
        return Optional.ofNullable(candidate);
    }

    /** Sets the known leader, or none; returns true if that is a change. */
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

    /** The state to report; empty before this process has joined. */
    Optional<ElectionView> view() {
        return candidate().map(own -> view(own, known));
    }

    private ElectionView view(RingCandidate own, Known now) {
        Optional<RingLeadership> leadership = own.leadership();
        boolean isOwn = now.leader.map(Leader::id).filter(own.id()::equals).isPresent();
        Optional<Leader> reported = isOwn && leadership.isEmpty() ? Optional.empty() : now.leader;
        return new ElectionView(
                election,
                reported,
                reported.map(Leader::term).orElse(now.lastTerm),
                now.since,
                confirmed(now, isOwn ? leadership.map(RingLeadership::remaining) : Optional.empty()),
                isOwn ? leadership.map(RingLeadership::remaining) : Optional.empty(),
                Optional.empty(),
                reported.isPresent() ? Optional.empty() : noLeader(own));
    }

    private static Optional<Explanation> noLeader(RingCandidate own) {
        return Optional.of(own.explain()).filter(why -> !LED.contains(why.reason()));
    }

    /**
     * When the reported state was last confirmed.
     *
     * <p>A leader counts from the sending of its last confirmed message, and the others from the last heartbeat.
     * Nothing confirms that there is no leader, so that state is as old as its start.
     */
    private Instant confirmed(Known now, Optional<Duration> remaining) {
        Instant confirmed = remaining
                .map(left -> clock.instant().minus(lead).plus(left))
                .or(() -> now.leader.isPresent() ? lastHeard.get() : Optional.empty())
                .orElse(now.since);
        return confirmed.isBefore(now.since) ? now.since : confirmed;
    }
}
