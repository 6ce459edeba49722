package dev.doyen.hub.server.claims;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.election.Threads;
import dev.doyen.elector.ElectionView;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import dev.doyen.lease.Identity;
import dev.doyen.store.LeaseStore;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The election of one slot: observes its lease, and campaigns for the member that claims the slot.
 *
 * <p>Threads: everything on the loop thread, except {@link #view}, {@link #paused}, {@link #since} and
 * {@link #election}.
 */
final class SlotElection implements LeaseListener, ElectionEvent.Cases {

    private final String election;
    private final Threads threads;
    private final LeaseLoop loop;
    private final Supplier<ClaimOutcomes> outcomes;
    private final Consumer<ElectionView> changes;

    /** The member that claims the slot or holds it; null if there is none. */
    private @Nullable Claimant claimant;

    private boolean granted;

    /** True until the loop has carried out a withdrawal. Until then, its events belong to an earlier claim. */
    private boolean withdrawing;

    private long grantedTerm;

    /** A member that lost the claim and may not have stopped yet. Its lease is released only after {@link #release}. */
    private @Nullable Claimant stopping;

    private long stoppingTerm;

    /** The loop numbers saves across terms; the hub starts at 1 in every term. */
    private long savedBefore;

    private long lastSave;

    private Runnable atEnd = () -> {};
    private volatile Known known;

    SlotElection(
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

    /**
     * Tries to acquire the lease for this member. The hub submits one claim at a time and releases it before the next.
     */
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
            loop.campaign(identity(next));
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

    /** Saves state for the next holder, if the claimant still holds the slot in this term. */
    void save(Claimant saving, long term, long number, SavedState state) {
        if (saving.equals(claimant) && granted && !withdrawing && term == grantedTerm) {
            loop.save(savedBefore + number, state);
            lastSave = savedBefore + number;
        }
    }

    /** Releases the lease, ends the loop, and then calls {@code ended}. */
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

    /** States who paused the election and why; empty if it is not paused. Threads: any. */
    Optional<String> paused() {
        return loop.view()
                .state()
                .notes()
                .pause()
                .map(pause -> "the election was paused by " + pause.by()
                        + (pause.reason().isEmpty() ? "" : " (" + pause.reason() + ")"));
    }

    /** The known state of the election; empty before the store's first answer. Threads: any. */
    Optional<ElectionView> view() {
        Known now = known;
        return loop.view().lastConfirmed().map(confirmed -> now.view(election, wall(confirmed)));
    }

    @Override
    public void onEvent(ElectionEvent event) {
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
            loop.campaign(identity(waiting));
        }
    }

    @Override
    public void ended() {
        atEnd.run();
    }

    @Override
    public void elected(ElectionEvent.Elected event) {
        Claimant standing = claimant;
        // A withdrawn claim may still win the lease. The withdrawal then releases it.
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
            // The claim was released before, and the hub releases only after the member has stopped.
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

    /** The last known leader. */
    private record Known(Optional<Leader> leader, long lastTerm, Instant since) {
        ElectionView view(String name, Instant lastUpdate) {
            return new ElectionView(name, leader, lastTerm, since, lastUpdate);
        }
    }
}
