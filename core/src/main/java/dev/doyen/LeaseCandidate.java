package dev.doyen;

import dev.doyen.event.ElectionEvent;
import dev.doyen.lease.Grant;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseTiming;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stands in an election by lease: ties the loop's events to the work done under each term. */
final class LeaseCandidate extends LeaseObserver implements Candidate {

    private final Identity identity;
    private final Saves saves;
    private final TermDesk terms = new TermDesk();
    private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
    private final ConcurrentLinkedQueue<CompletableFuture<Void>> resignations = new ConcurrentLinkedQueue<>();

    /** The term being led, on the loop thread. */
    private @Nullable TermScope scope;

    LeaseCandidate(LeaseElection home, Identity identity, LeaseTiming timing) {
        super(home, timing);
        this.identity = identity;
        this.saves = new Saves(loop());
    }

    @Override
    void begin() {
        super.begin();
        loop().stand(identity);
    }

    @Override
    public String id() {
        return identity.id();
    }

    @Override
    public boolean isLeader() {
        return holding().isPresent();
    }

    @Override
    public Optional<Leadership> leadership() {
        return holding().map(this::leadership);
    }

    @Override
    public <X extends Exception> boolean whileLeading(LeaderTask<X> task) throws X, InterruptedException {
        if (!worker.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException("a task is already running for candidate \"" + id() + "\" of \""
                    + election() + "\"; join a second time for a second task");
        }
        try {
            TermScope term = terms.await(null);
            while (term != null) {
                if (term.run(task)) {
                    return true;
                }
                term = terms.await(term);
            }
            return false;
        } finally {
            worker.set(null);
        }
    }

    @Override
    public CompletableFuture<Void> resign() {
        var done = new CompletableFuture<Void>();
        boolean accepted = home().threads().loop(() -> {
            resignations.add(done);
            loop().resign(timing().resignCooldown());
            if (hasEnded()) {
                settled();
            }
        });
        if (!accepted) {
            done.complete(null);
        }
        return done;
    }

    @Override
    public void close() {
        terms.close();
        if (Thread.currentThread().equals(worker.get())) {
            // To wait here for the task to stop would be to wait for oneself.
            leave();
        } else {
            super.close();
        }
    }

    @Override
    public void told(ElectionEvent event) {
        super.told(event);
        event.accept(new OnEvent());
    }

    @Override
    public void saved(long save) {
        saves.confirmed(save);
    }

    @Override
    public void settled() {
        while (true) {
            CompletableFuture<Void> done = resignations.poll();
            if (done == null) {
                return;
            }
            done.completeAsync(() -> null, home().threads()::callback);
        }
    }

    @Override
    void tellHowThingsStand(ElectionListener listener) {
        super.tellHowThingsStand(listener);
        loop().view().grant().map(this::leadership).ifPresent(l -> callbacks().offer(() -> listener.elected(l)));
    }

    /** A listener that hangs keeps the lease from being given back, but nobody from going on. */
    private void resignAndWait() {
        resign().completeOnTimeout(null, timing().ttl().toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** The grant, if it holds by both clocks read now (rules L4, L5). */
    private Optional<Grant> holding() {
        return loop().view().grant().filter(g -> g.holdsAt(home().threads().now()));
    }

    private Leadership leadership(Grant grant) {
        return new LeaseLeadership(election(), grant, loop(), home().threads(), saves);
    }

    /** Events on their way to the work and to the listeners; on the loop thread. */
    private final class OnEvent implements ElectionEvent.Cases {
        @Override
        public void elected(ElectionEvent.Elected event) {
            Leadership leadership = leadership(loop().view().grant().orElseThrow());
            scope = new TermScope(election(), leadership, LeaseCandidate.this::resignAndWait, loop()::workStopped);
            terms.open(scope);
            callbacks().offer(() -> tellAll(l -> l.elected(leadership)));
        }

        @Override
        public void jeopardy(ElectionEvent.Jeopardy event) {
            callbacks().offerLatest("doubt", () -> tellAll(l -> l.jeopardy(event.remaining())));
        }

        @Override
        public void recovered(ElectionEvent.Recovered event) {
            callbacks().offerLatest("doubt", () -> tellAll(ElectionListener::recovered));
        }

        @Override
        public void lost(ElectionEvent.Lost event) {
            TermScope ending = Objects.requireNonNull(scope, "lost without elected");
            scope = null;
            terms.end(ending);
            saves.termEnded(election(), event.term());
            ending.end();
            callbacks().offer(() -> {
                tellAll(l -> l.lost(event.cause()));
                ending.listenersDone();
            });
        }

        @Override
        public void leaderChanged(ElectionEvent.LeaderChanged event) {
            // Told by the observer in us.
        }
    }
}
