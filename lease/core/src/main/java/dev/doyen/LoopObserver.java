package dev.doyen;

import dev.doyen.candidate.ListenerRegistry;
import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.election.LeaderListener;
import dev.doyen.election.LeaseTiming;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import dev.doyen.store.LeaseNotes;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An observer by lease. It has a loop, and a queue of callbacks for its listeners. */
class LoopObserver implements LeaseObserver, LeaseListener {

    private final LeaseElection home;
    private final LeaseLoop loop;
    private final ListenerRegistry<LeaseLeadership> listeners;

    /** Completes on the loop thread when the loop has ended. */
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    LoopObserver(LeaseElection home) {
        this.home = home;
        this.listeners = new ListenerRegistry<>(home.threads());
        this.loop = home.loop(this);
    }

    /**
     * Starts the loop. The constructor does not start the loop, because no event may reach an object under
     * construction.
     */
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
    public final List<LeaseNotes.PastTerm> history() {
        return loop.view().state().notes().past();
    }

    @Override
    public final Registration listen(LeaderListener listener) {
        return listeners.listen(listener, this::reportPresentState);
    }

    @Override
    public void onEvent(ElectionEvent event) {
        if (event instanceof ElectionEvent.LeaderChanged changed) {
            listeners.leaderChanged(changed);
        }
    }

    @Override
    public void ended() {
        // After these two calls, the election may close its threads.
        home.forget(this);
        ended.complete(null);
    }

    @Override
    public void close() {
        endLoop();
        awaitEnd(List.of(this));
    }

    /**
     * Waits until these leaving observers have ended.
     *
     * <p>The total wait is at most the renewal deadline plus one request timeout, for any number of observers. The
     * method does not wait for an observer that {@linkplain #waitsForCaller waits for the caller}.
     */
    static void awaitEnd(Collection<LoopObserver> leaving) {
        if (leaving.isEmpty()) {
            return;
        }
        LeaseElection home = leaving.iterator().next().home;
        List<LoopObserver> others =
                leaving.stream().filter(each -> !each.waitsForCaller()).toList();
        LeaseTiming timing = home.timing();
        try {
            // If the work of a term does not stop within this limit, the lease expires or is released later (rule L6).
            home.threads().await(allEnded(others), timing.deadline().plus(timing.requestTimeout()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a future that completes when all these observers have ended. Its completion can run on a loop thread. */
    static CompletableFuture<Void> allEnded(Collection<LoopObserver> leaving) {
        return CompletableFuture.allOf(leaving.stream().map(each -> each.ended).toArray(CompletableFuture<?>[]::new));
    }

    /** Makes the loop leave the election, and returns at once. */
    void endLoop() {
        loop.leave();
    }

    /**
     * Returns true if a callback or the task of this observer waits for the calling thread. The calling thread must not
     * wait for the end of this observer, because the wait would never end.
     */
    boolean waitsForCaller() {
        return listeners.waitsForCaller();
    }

    void reportPresentState(ListenerRegistry.FirstCalls<LeaseLeadership> first) {
        Optional<Leader> now = leader();
        first.offer(listener -> listener.leaderChanged(now));
    }

    final LeaseTiming timing() {
        return home.timing();
    }

    final LeaseLoop loop() {
        return loop;
    }

    final LeaseElection home() {
        return home;
    }

    final ListenerRegistry<LeaseLeadership> listeners() {
        return listeners;
    }
}
