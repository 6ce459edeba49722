package dev.doyen.server.claims;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.driver.Threads;
import dev.doyen.elector.ElectionView;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.HandOverState;
import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.hub.Claimant;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.lease.Priority;
import dev.doyen.store.LeaseStore;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One slot's election: a loop that observes, and stands for whoever claims.
 *
 * <p>Threads: everything on the loop thread, but for {@link #view}, {@link #paused}, {@link #since} and {@link #election}.
 */
final class ClaimDesk implements LeaseListener, ElectionEvent.Cases {

    private final String election;
    private final Threads threads;
    private final LeaseLoop loop;
    private final Supplier<ClaimOutcomes> outcomes;
    private final Consumer<ElectionView> changes;

    /** Who claims, or holds the claim; null while nobody does. */
    private @Nullable Claimant claimant;

    private boolean granted;

    /** A withdrawal is on its way: until it is done, what the loop says is about a claim of the past. */
    private boolean withdrawing;

    private long grantedTerm;

    /** Who has lost the claim and may not have stopped yet: what is left of its lease is kept until it is released. */
    private @Nullable Claimant stopping;

    private long stoppingTerm;

    /** The loop numbers its saves through, the hub anew in every term. */
    private long savedBefore;

    private long lastSave;

    private Runnable atEnd = () -> {};
    private volatile Known known;

    ClaimDesk(
            String election,
            Threads threads,
            LeaseStore store,
            LeaseTiming timing,
            long seed,
            Supplier<ClaimOutcomes> outcomes,
            Consumer<ElectionView> changes) {
        this.election = election;
        this.threads = threads;
        this.outcomes = outcomes;
        this.changes = changes;
        this.known = new Known(Optional.empty(), 0, wall(threads.now()));
        this.loop = new LeaseLoop(
                LoopContext.renewing(threads, store, timing, () -> seed), election, Priority.DEFAULT, this);
    }

    void open() {
        loop.start();
    }

    /** Tries to win the lease for this member. The hub asks for one at a time, and releases it before the next. */
    void claim(Claimant next) {
        if (claimant != null) {
            outcomes.get().refused(next, known.leader());
            return;
        }
        Optional<String> paused = paused();
        if (paused.isPresent()) {
            outcomes.get().paused(next, paused.get());
            return;
        }
        claimant = next;
        granted = false;
        if (!withdrawing) {
            loop.stand(identity(next));
        }
    }

    void release(Claimant leaving) {
        if (leaving.equals(stopping)) {
            stopping = null;
            loop.workStopped(stoppingTerm);
        } else if (leaving.equals(claimant)) {
            withdraw();
        }
    }

    boolean isHeldBy(Claimant member) {
        return granted && member.equals(claimant);
    }

    /** Leaves this for the next holder, if the claimant still is the present one. */
    void save(Claimant saving, long term, long number, HandOverState state) {
        if (saving.equals(claimant) && granted && !withdrawing && term == grantedTerm) {
            loop.save(savedBefore + number, state);
            lastSave = savedBefore + number;
        }
    }

    /** Gives back what is held, then ends and says so. */
    void leave(Runnable ended) {
        claimant = null;
        atEnd = ended;
        loop.leave();
    }

    boolean isVacant() {
        return claimant == null && stopping == null && known.leader().isEmpty();
    }

    String election() {
        return election;
    }

    /** When the leader last changed. */
    Instant since() {
        return known.since();
    }

    /** By whom the election was paused, and why; empty if it is not. Any thread. */
    Optional<String> paused() {
        return loop.view()
                .state()
                .notes()
                .pause()
                .map(pause -> "the election was paused by " + pause.by()
                        + (pause.reason().isEmpty() ? "" : " (" + pause.reason() + ")"));
    }

    /** What is known; empty before the store's first answer. Any thread. */
    Optional<ElectionView> view() {
        Known now = known;
        return loop.view().lastConfirmed().map(confirmed -> now.view(election, wall(confirmed)));
    }

    @Override
    public void told(ElectionEvent event) {
        event.accept(this);
    }

    @Override
    public void blocked(Leader by) {
        Claimant waiting = claimant;
        if (waiting != null && !granted && !withdrawing) {
            withdraw();
            outcomes.get().refused(waiting, Optional.of(by));
        }
    }

    @Override
    public void saved(long save) {
        Claimant holder = claimant;
        if (holder != null && granted && !withdrawing && save > savedBefore) {
            outcomes.get().saved(holder, grantedTerm, save - savedBefore);
        }
    }

    @Override
    public void settled() {
        withdrawing = false;
        Claimant waiting = claimant;
        if (waiting != null && !granted) {
            loop.stand(identity(waiting));
        }
    }

    @Override
    public void ended() {
        atEnd.run();
    }

    @Override
    public void elected(ElectionEvent.Elected event) {
        Claimant standing = claimant;
        // What a withdrawn claim has won after all is on its way back.
        if (standing != null && !withdrawing) {
            granted = true;
            grantedTerm = event.term();
            savedBefore = lastSave;
            outcomes.get().granted(standing, event.term(), event.state());
        }
    }

    @Override
    public void lost(ElectionEvent.Lost event) {
        Claimant holder = claimant;
        if (holder != null && granted && !withdrawing) {
            stopping = holder;
            stoppingTerm = event.term();
            withdraw();
            outcomes.get().lost(holder, event.term(), event.cause());
        } else {
            // It was released: the hub has seen to it that the work has stopped.
            loop.workStopped(event.term());
        }
    }

    @Override
    public void jeopardy(ElectionEvent.Jeopardy event) {}

    @Override
    public void recovered(ElectionEvent.Recovered event) {}

    @Override
    public void overlapped(ElectionEvent.Overlapped event) {}

    @Override
    public void leaderChanged(ElectionEvent.LeaderChanged event) {
        long term = event.leader().map(Leader::term).orElse(known.lastTerm());
        known = new Known(event.leader(), term, wall(threads.now()));
        changes.accept(known.view(election, known.since()));
    }

    private void withdraw() {
        claimant = null;
        withdrawing = true;
        loop.withdraw();
    }

    private static Identity identity(Claimant claimant) {
        return new Identity(claimant.clientId(), claimant.connectionId());
    }

    private static Instant wall(Moment moment) {
        return Instant.ofEpochMilli(moment.wallMillis());
    }

    /** What was last told about the leader. */
    private record Known(Optional<Leader> leader, long lastTerm, Instant since) {
        ElectionView view(String name, Instant lastUpdate) {
            return new ElectionView(name, leader, lastTerm, since, lastUpdate);
        }
    }
}
