package dev.doyen.group;

import dev.doyen.candidate.OpenCalls;
import dev.doyen.driver.LoopListener;
import dev.doyen.driver.ShutdownHook;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.Observer;
import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.SavedState;
import dev.doyen.group.driver.MembershipContest;
import dev.doyen.group.driver.MembershipLoop;
import dev.doyen.group.driver.RingTally;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingState;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * An election over a membership. The process is one member, so its candidate and its observers share one loop.
 *
 * <p>After the election is closed, the loop continues to forward messages until the membership ends
 * (docs/decisions/0022).
 */
final class MembershipElection implements RingElection, LoopListener {

    private final String name;
    private final Member me;
    private final Durations durations;
    private final Optional<HealthCheck> health;
    private final Threads threads;
    private final Runnable atEnd;
    private final RingTally tally;
    private final MembershipLoop loop;
    private final List<MembershipObserver> members = new CopyOnWriteArrayList<>();
    private final OpenCalls calls;
    private boolean closed;

    /**
     * The cooldown and the leader lease of a ring.
     *
     * @param cooldown the time for which a candidate does not campaign after a handover, or after a resignation for
     *     which the caller gave no duration
     * @param lead the leader lease: the time for which a leader leads after its last confirmation. A call waits at most
     *     this time for work that does not stop
     */
    record Durations(Duration cooldown, Duration lead) {}

    /** @param atEnd the task that runs after the membership has ended */
    MembershipElection(
            String name,
            Membership membership,
            Durations durations,
            MembershipContest contest,
            RingTally tally,
            Optional<HealthCheck> health,
            Threads threads,
            Runnable atEnd) {
        this.name = name;
        this.me = membership.me();
        this.durations = durations;
        this.tally = tally;
        this.health = health;
        this.threads = threads;
        this.atEnd = atEnd;
        this.calls = new OpenCalls(threads);
        this.loop = new MembershipLoop(threads, name, membership, contest, this);
    }

    /**
     * Starts the loop. The constructor does not start the loop, because an event must not reach an unfinished object.
     */
    void begin() {
        loop.start();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public RingCandidate join(String id) {
        if (!id.equals(me.id())) {
            throw new IllegalArgumentException("candidate id \"" + id + "\" is not the id of this process in its"
                    + " membership, \"" + me.id() + "\"; on a ring, a candidate has the id of its member");
        }
        // The lock prevents a close before the candidate has started. Otherwise a closed candidate could campaign.
        synchronized (this) {
            checkOpen();
            if (members.stream().anyMatch(MembershipCandidate.class::isInstance)) {
                throw new IllegalStateException("\"" + id + "\" is a candidate in election \"" + name
                        + "\" already; on a ring, a process is one member; close that candidate first");
            }
            MembershipCandidate candidate = new MembershipCandidate(this, health);
            members.add(candidate);
            candidate.begin();
            return candidate;
        }
    }

    @Override
    public synchronized Observer observe() {
        checkOpen();
        var observer = new MembershipObserver(this);
        members.add(observer);
        return observer;
    }

    @Override
    public RingStatus status() {
        Optional<RingState> state = tally.state();
        Map<String, Long> dropped = new LinkedHashMap<>();
        for (RingEffect.Why why : RingEffect.Why.values()) {
            dropped.put(why.name().toLowerCase(Locale.ROOT), tally.dropped(why));
        }
        Map<String, Long> sent = new LinkedHashMap<>();
        sent.put("election", tally.electionSent());
        sent.put("heartbeat", tally.heartbeatsSent());
        sent.put("nack", tally.nacksSent());
        sent.put("transfer", tally.transfersSent());
        sent.put("state", tally.statesSent());
        return new RingStatus(
                me,
                state.flatMap(RingState::view),
                state.map(RingState::round).orElse(0L),
                state.map(RingState::buffered).orElse(0),
                state.map(known -> known.saved().state()).orElse(SavedState.EMPTY),
                tally.lastHeartbeat(),
                tally.confirmedIn(),
                Collections.unmodifiableMap(sent),
                Collections.unmodifiableMap(dropped));
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        try {
            members.forEach(MembershipObserver::close);
        } finally {
            leaveHookIfEnded();
        }
    }

    /**
     * Leaves the shutdown hook if the election is closed and all its members have ended.
     *
     * <p>A call of {@code close} can return before the work of a candidate has stopped. The hook then still waits for
     * that work.
     */
    private synchronized void leaveHookIfEnded() {
        if (closed && members.isEmpty()) {
            ShutdownHook.OF_JVM.remove(this);
        }
    }

    @Override
    public void onEvent(ElectionEvent event) {
        report(members.iterator(), event);
    }

    /**
     * Passes the event to every observer, even if an observer throws. Afterwards the method throws the last exception.
     */
    private static void report(Iterator<MembershipObserver> members, ElectionEvent event) {
        if (members.hasNext()) {
            try {
                members.next().onEvent(event);
            } finally {
                report(members, event);
            }
        }
    }

    @Override
    public void settled() {
        candidates(MembershipCandidate::settled);
    }

    @Override
    public void dropped() {
        candidates(MembershipCandidate::dropped);
    }

    @Override
    public void saved(long save) {
        candidates(candidate -> candidate.saved(save));
    }

    private void candidates(Consumer<MembershipCandidate> call) {
        for (MembershipObserver member : members) {
            if (member instanceof MembershipCandidate candidate) {
                call.accept(candidate);
            }
        }
    }

    @Override
    public void ended() {
        ShutdownHook.OF_JVM.remove(this);
        settled();
        calls.end();
        atEnd.run();
    }

    Member me() {
        return me;
    }

    Durations durations() {
        return durations;
    }

    Threads threads() {
        return threads;
    }

    MembershipLoop loop() {
        return loop;
    }

    /** Returns the calls of this election's candidates, including those of forgotten candidates. */
    OpenCalls calls() {
        return calls;
    }

    /** Returns true if this election calls the member's methods no more. */
    boolean hasForgotten(MembershipObserver member) {
        return !members.contains(member);
    }

    void forget(MembershipObserver member) {
        members.remove(member);
        leaveHookIfEnded();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("election \"" + name + "\" is closed");
        }
    }
}
