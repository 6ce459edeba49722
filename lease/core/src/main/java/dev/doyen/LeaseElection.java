package dev.doyen;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.driver.Threads;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.lease.Priority;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** An election by lease: creates loops for its candidates and observers, and closes them. */
final class LeaseElection implements Election {

    private final String name;
    private final LoopContext context;
    private final Candidature candidature;
    private final Runnable atClose;

    /** A small list, because a process may have very many elections with one member each. */
    private final List<LeaseObserver> members = new CopyOnWriteArrayList<>();

    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param atClose closes what this election has opened besides its members */
    LeaseElection(String name, LoopContext context, Candidature candidature, Runnable atClose) {
        this.name = name;
        this.context = context;
        this.candidature = candidature;
        this.atClose = atClose;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Candidate join(String id) {
        var identity = new Identity(id, UUID.randomUUID().toString());
        return add(new LeaseCandidate(this, identity, candidature.health()));
    }

    @Override
    public Observer observe() {
        return add(new LeaseObserver(this));
    }

    @Override
    public Control control(String by) {
        return new LeaseControl(name, context.store(), context.timing().ttl(), context.threads(), by);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            LeaseObserver.awaitEnd(leave());
            atClose.run();
        }
    }

    /** Marks this election as closed, so that nobody can join. */
    void closed() {
        closed.set(true);
    }

    /** Begins to close every member. Returns the members that have not ended yet. */
    List<LeaseObserver> leave() {
        List<LeaseObserver> leaving = List.copyOf(members);
        leaving.forEach(LeaseObserver::leave);
        return leaving;
    }

    LeaseLoop loop(LeaseListener listener) {
        return new LeaseLoop(context, name, candidature.priority(), listener);
    }

    Threads threads() {
        return context.threads();
    }

    LeaseTiming timing() {
        return context.timing();
    }

    void forget(LeaseObserver member) {
        members.remove(member);
    }

    private <T extends LeaseObserver> T add(T member) {
        if (closed.get()) {
            throw new IllegalStateException("election \"" + name + "\" is closed");
        }
        members.add(member);
        member.begin();
        return member;
    }

    /** Priority and health check of the candidates of this process. */
    record Candidature(Priority priority, Optional<HealthCheck> health) {}
}
