package dev.doyen;

import dev.doyen.driver.LoopListener;
import dev.doyen.driver.RingLoop;
import dev.doyen.driver.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.membership.Member;
import dev.doyen.membership.Membership;
import dev.doyen.ring.RingSettings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An election on a ring: one loop for all of this process, since a process is one member. It goes on passing messages on
 * after the election was closed, until the membership ends (docs/decisions/0022).
 */
final class RingElection implements Election, LoopListener {

    private final String name;
    private final Member me;
    private final RingSettings settings;
    private final Optional<HealthCheck> health;
    private final Threads threads;
    private final Runnable atEnd;
    private final RingLoop loop;
    private final List<RingObserver> members = new CopyOnWriteArrayList<>();
    private boolean closed;

    /** @param atEnd run when the membership has ended */
    RingElection(
            String name,
            Membership membership,
            RingSettings settings,
            Optional<HealthCheck> health,
            Threads threads,
            Runnable atEnd) {
        this.name = name;
        this.me = membership.me();
        this.settings = settings;
        this.health = health;
        this.threads = threads;
        this.atEnd = atEnd;
        this.loop = new RingLoop(threads, name, membership, settings, this);
    }

    /** Sets the loop going; apart from the constructor, so that nothing is heard by a half-made object. */
    void begin() {
        loop.start();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Candidate join(String id) {
        if (!id.equals(me.id())) {
            throw new IllegalArgumentException("candidate id \"" + id + "\" is not the name of this process in its"
                    + " membership, \"" + me.id() + "\"; on a ring a candidate is called like its member");
        }
        RingCandidate candidate;
        synchronized (this) {
            checkOpen();
            if (members.stream().anyMatch(RingCandidate.class::isInstance)) {
                throw new IllegalStateException("\"" + id + "\" stands in election \"" + name
                        + "\" already; on a ring a process is one member: close that candidate first");
            }
            candidate = new RingCandidate(this, health);
            members.add(candidate);
        }
        candidate.begin();
        return candidate;
    }

    @Override
    public synchronized Observer observe() {
        checkOpen();
        var observer = new RingObserver(this);
        members.add(observer);
        return observer;
    }

    /** Refused: there is no record to ask through. */
    @Override
    public Control control(String by) {
        throw new UnsupportedOperationException("election \"" + name
                + "\" is on a ring and has no record through which a leader elsewhere could be asked;"
                + " ask the process that leads");
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        members.forEach(RingObserver::close);
    }

    @Override
    public void told(ElectionEvent event) {
        members.forEach(member -> member.told(event));
    }

    @Override
    public void settled() {
        for (RingObserver member : members) {
            if (member instanceof RingCandidate candidate) {
                candidate.settled();
            }
        }
    }

    @Override
    public void ended() {
        settled();
        atEnd.run();
    }

    Member me() {
        return me;
    }

    RingSettings settings() {
        return settings;
    }

    Threads threads() {
        return threads;
    }

    RingLoop loop() {
        return loop;
    }

    void forget(RingObserver member) {
        members.remove(member);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("election \"" + name + "\" is closed");
        }
    }
}
