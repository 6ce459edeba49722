package dev.doyen;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.store.PastTerm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Watches an election by lease: a loop on one side, listeners with a queue for their callbacks on the other. */
class LeaseObserver implements Observer, LeaseListener {

    private final LeaseElection home;
    private final LeaseTiming timing;
    private final LeaseLoop loop;
    private final ListenerDesk listeners;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    LeaseObserver(LeaseElection home) {
        this.home = home;
        this.timing = home.timing();
        this.listeners = new ListenerDesk(home.threads());
        this.loop = home.loop(this);
    }

    /** Sets the loop going; apart from the constructor, so that nothing is heard by a half-made object. */
    void begin() {
        loop.start();
    }

    @Override
    public final String election() {
        return home.name();
    }

    @Override
    public final Optional<Leader> leader() {
        return loop.view().leader();
    }

    @Override
    public final Explanation explain() {
        return loop.explain();
    }

    @Override
    public final List<PastTerm> history() {
        return loop.view().state().notes().past();
    }

    @Override
    public final Registration listen(ElectionListener listener) {
        return listeners.listen(listener, this::tellHowThingsStand);
    }

    @Override
    public void told(ElectionEvent event) {
        if (event instanceof ElectionEvent.LeaderChanged changed) {
            listeners.tellAllLatest("leader", l -> l.leaderChanged(changed.leader()));
        }
    }

    @Override
    public final void ended() {
        home.forget(this);
        settled();
        ended.complete(null);
    }

    @Override
    public void close() {
        leave();
        if (listeners.isCurrentThread()) {
            return;
        }
        Duration patience = timing.deadline().plus(timing.requestTimeout());
        try {
            ended.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            // Work that does not stop keeps its lease, which then runs out by itself.
        }
    }

    void leave() {
        loop.leave();
    }

    final boolean hasEnded() {
        return ended.isDone();
    }

    void tellHowThingsStand(ElectionListener listener) {
        Optional<Leader> now = leader();
        listeners.offer(() -> listener.leaderChanged(now));
    }

    final LeaseTiming timing() {
        return timing;
    }

    final LeaseLoop loop() {
        return loop;
    }

    final LeaseElection home() {
        return home;
    }

    final ListenerDesk listeners() {
        return listeners;
    }
}
