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
 * The state of the election that this process reports to clients.
 *
 * <p>Each query checks whether the candidate leads. So a process that was suspended does not report its own expired
 * leadership.
 *
 * <p>Threads: any thread may read the state. The candidate's callbacks write the state.
 */
final class KnownElection implements Elections {

    /** The reasons that apply only to an election with a leader. These reasons cannot explain a missing leader. */
    private static final Set<Reason> LED = EnumSet.of(Reason.LEADING, Reason.IN_JEOPARDY, Reason.HELD);

    private final String election;

    /** The reported state. The object is immutable and is replaced at each change. */
    private volatile Known known;

    private final Supplier<Optional<Instant>> lastHeartbeat;
    private final Duration lead;
    private final InstantSource clock;

    private volatile @Nullable RingCandidate candidate;

    private record Known(Optional<Leader> leader, long lastTerm, Instant since) {}

    /**
     * Creates the state without a known leader.
     *
     * @param lastHeartbeat the function that returns the arrival time of the reported leader's last heartbeat, if
     *     another process leads
     * @param lead the leader lease: the time for which a leader leads after its last confirmation
     * @param clock the wall clock
     */
    KnownElection(String election, Supplier<Optional<Instant>> lastHeartbeat, Duration lead, InstantSource clock) {
        this.clock = clock;
        this.known = new Known(Optional.empty(), 0, clock.instant());
        this.election = election;
        this.lastHeartbeat = lastHeartbeat;
        this.lead = lead;
    }

    /** Sets the candidate. Before this call, queries return an empty result. */
    void open(RingCandidate own) {
        candidate = own;
    }

    Optional<RingCandidate> candidate() {
        return Optional.ofNullable(candidate);
    }

    /** Sets the known leader; empty for no leader. Returns true if the leader has changed. */
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

    /** Returns the state to report; empty before this process has joined the cluster. */
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
     * Returns the time of the last confirmation of the reported state.
     *
     * <p>For the leader itself, this is the time at which it sent its last confirmed message. For other processes, it
     * is the arrival time of the last heartbeat. No message confirms that no leader exists. So if this process knows no
     * leader, the result is the time of the last change of the leader. In the other cases, the result is never earlier
     * than that change.
     */
    private Instant confirmed(Known now, Optional<Duration> remaining) {
        Instant confirmed = remaining
                .map(left -> clock.instant().minus(lead).plus(left))
                .or(() -> now.leader.isPresent() ? lastHeartbeat.get() : Optional.empty())
                .orElse(now.since);
        return confirmed.isBefore(now.since) ? now.since : confirmed;
    }
}
