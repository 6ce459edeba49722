package dev.doyen;

import dev.doyen.event.ElectionEvent;
import dev.doyen.lease.Grant;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.store.ElectionNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stands in an election by lease: ties the loop's events to the work done under each term. */
final class LeaseCandidate extends LeaseObserver implements Candidate {

    private final Identity identity;
    private final Saves saves;
    private final Suitability suitability;
    private final TermDesk terms = new TermDesk();
    private final AtomicReference<@Nullable Thread> worker = new AtomicReference<>();

    /** Waiting for the machine to settle; on the loop thread. */
    private List<CompletableFuture<Void>> resignations = List.of();

    /** The term being led, on the loop thread. */
    private @Nullable TermScope scope;

    LeaseCandidate(LeaseElection home, Identity identity, Optional<HealthCheck> health) {
        super(home);
        this.identity = identity;
        this.saves = new Saves(loop());
        this.suitability = new Suitability(loop(), home().threads(), health);
    }

    @Override
    void begin() {
        super.begin();
        suitability.begin();
        loop().stand(identity);
    }

    @Override
    public String id() {
        return identity.id();
    }

    @Override
    public boolean isLeader() {
        return loop().leads();
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
        return resign(timing().resignCooldown());
    }

    @Override
    public CompletableFuture<Void> resign(Duration cooldown) {
        LeaseTiming.checkCooldown(cooldown);
        return whenSettled(() -> loop().resign(cooldown, ""));
    }

    @Override
    public CompletableFuture<Void> transferTo(String heir) {
        ElectionNames.check("candidate id", heir);
        return whenSettled(() -> loop().resign(timing().resignCooldown(), heir));
    }

    @Override
    public CompletableFuture<Void> pause() {
        return whenSettled(suitability::pause);
    }

    @Override
    public void resume() {
        home().threads().loop(suitability::resume);
    }

    /** Completes when the machine has done what it is asked for here, as far as it can be done. */
    private CompletableFuture<Void> whenSettled(Runnable ask) {
        var done = new CompletableFuture<Void>();
        boolean accepted = home().threads().loop(() -> {
            resignations = new ArrayList<>(resignations);
            resignations.add(done);
            ask.run();
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
    void leave() {
        suitability.end();
        super.leave();
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
        List<CompletableFuture<Void>> all = resignations;
        resignations = List.of();
        all.forEach(done -> done.completeAsync(() -> null, home().threads()::callback));
    }

    @Override
    void tellHowThingsStand(ElectionListener listener) {
        super.tellHowThingsStand(listener);
        loop().grant().map(this::leadership).ifPresent(l -> callbacks().offer(() -> listener.elected(l)));
    }

    /** A listener that hangs keeps the lease from being given back, but nobody from going on. */
    private void resignAndWait() {
        resign().completeOnTimeout(null, timing().ttl().toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** The grant, if it holds by both clocks read now (rules L4, L5). */
    private Optional<Grant> holding() {
        return loop().grant().filter(g -> g.holdsAt(home().threads().now()));
    }

    private Leadership leadership(Grant grant) {
        return new LeaseLeadership(election(), grant, loop(), home().threads(), saves);
    }

    /** Events on their way to the work and to the listeners; on the loop thread. */
    private final class OnEvent implements ElectionEvent.Cases {
        @Override
        public void elected(ElectionEvent.Elected event) {
            Leadership leadership = leadership(loop().view().state().grant().orElseThrow());
            scope = new TermScope(election(), leadership, LeaseCandidate.this::resignAndWait, loop()::workStopped);
            terms.open(scope);
            tellAllLater(l -> l.elected(leadership));
        }

        @Override
        public void jeopardy(ElectionEvent.Jeopardy event) {
            tellAllLatest("doubt", l -> l.jeopardy(event.remaining(), event.reason()));
        }

        @Override
        public void recovered(ElectionEvent.Recovered event) {
            tellAllLatest("doubt", ElectionListener::recovered);
        }

        @Override
        public void lost(ElectionEvent.Lost event) {
            TermScope ending = Objects.requireNonNull(scope, "lost without elected");
            scope = null;
            terms.end(ending);
            // The scope first: a task whose save fails must find that its term has ended, or it seems to fail by
            // itself.
            ending.end();
            saves.termEnded(election(), event.term());
            if (hasListeners()) {
                callbacks().offer(() -> {
                    tellAll(l -> l.lost(event.cause()));
                    ending.listenersDone();
                });
            } else {
                ending.listenersDone();
            }
        }

        @Override
        public void overlapped(ElectionEvent.Overlapped event) {
            tellAllLater(l -> l.overlapped(event.term(), event.by()));
        }

        @Override
        public void leaderChanged(ElectionEvent.LeaderChanged event) {
            // Told by the observer in us.
        }
    }
}
