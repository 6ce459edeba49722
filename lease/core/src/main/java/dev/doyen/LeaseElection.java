package dev.doyen;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.election.Threads;
import dev.doyen.lease.Identity;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** An election by lease. The class creates the loops of its candidates and observers, and closes these loops. */
final class LeaseElection implements Election {

    private final String name;
    private final LoopContext context;
    private final Candidature candidature;
    private final Consumer<CompletableFuture<?>> atClose;

    /**
     * The open candidates and observers. This type of list needs little memory, even in a process with very many
     * elections.
     */
    private final List<LoopObserver> members = new CopyOnWriteArrayList<>();

    /** True after a call of {@link #close} has begun {@code atClose}. */
    private final AtomicBoolean atCloseBegun = new AtomicBoolean();

    /**
     * True if the election rejects new members. The monitor of this object guards this field and the addition of
     * members.
     */
    private boolean closed;

    /**
     * @param atClose the action at the end of {@link #close}. It receives the future that completes when all members
     *     have ended. The action closes the store and the threads that this election has opened, or removes this
     *     election from its {@link SharedElections}
     */
    LeaseElection(String name, LoopContext context, Candidature candidature, Consumer<CompletableFuture<?>> atClose) {
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
    public LeaseCandidate join(String id) {
        var identity = new Identity(id, UUID.randomUUID().toString());
        return add(() -> new LoopCandidate(this, identity, candidature.health()));
    }

    @Override
    public LeaseObserver observe() {
        return add(() -> new LoopObserver(this));
    }

    @Override
    public Control control(String by) {
        return new LeaseControl(name, context.store(), context.timing().ttl(), context.threads(), by);
    }

    @Override
    public void close() {
        // A second caller also waits for the end of the members. It can be a shutdown hook that then lets the JVM end,
        // or that closes the store of the caller.
        List<LoopObserver> leaving = leave();
        LoopObserver.awaitEnd(leaving);
        if (atCloseBegun.compareAndSet(false, true)) {
            atClose.accept(LoopObserver.allEnded(leaving));
        }
    }

    /** Rejects new members, begins to close the present members, and returns them. */
    List<LoopObserver> leave() {
        List<LoopObserver> leaving;
        synchronized (this) {
            closed = true;
            leaving = List.copyOf(members);
        }
        leaving.forEach(LoopObserver::endLoop);
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

    void forget(LoopObserver member) {
        members.remove(member);
    }

    /**
     * Creates, adds and starts a member.
     *
     * <p>This method and {@link #leave} use the same lock. So a concurrent {@code leave} runs either after this method
     * and finds the started member, or before this method. In the second case this method rejects the member.
     */
    private synchronized <T extends LoopObserver> T add(Supplier<T> create) {
        if (closed) {
            throw new IllegalStateException("election \"" + name + "\" is closed");
        }
        T member = create.get();
        members.add(member);
        try {
            member.begin();
        } catch (Throwable e) {
            // End the loop, because it has possibly opened a watch.
            member.endLoop();
            throw e;
        }
        return member;
    }

    /** Priority and health check of the candidates of this process. */
    record Candidature(Priority priority, Optional<HealthCheck> health) {}
}
