package dev.doyen.hub.server.claims;

import dev.doyen.driver.LeaseListener;
import dev.doyen.driver.LeaseLoop;
import dev.doyen.driver.LoopContext;
import dev.doyen.election.Priority;
import dev.doyen.election.Threads;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metrics.ElectionMetrics;
import dev.doyen.elector.metrics.Tally;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaseState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Observes the lease of one slot, and campaigns for the member that claims the slot.
 *
 * <p>Only the loop thread may call the methods, except {@link #view}, {@link #paused}, {@link #isHeld}, {@link
 * #lastAnswer}, {@link #metrics} and {@link #election}.
 */
final class SlotElection implements LeaseListener, ElectionEvent.Cases {

    private final String election;
    private final Threads threads;
    private final LeaseLoop loop;
    private final Supplier<ClaimOutcomes> outcomes;
    private final Consumer<ElectionView> changes;

    /** The time of the last step in which the election was not vacant. */
    private Moment used;

    /** The member that claims the slot or holds it; null if there is none. */
    private @Nullable Claimant claimant;

    private volatile boolean granted;

    /**
     * True from a request to withdraw until the loop has withdrawn. Until then, the events of the loop belong to an
     * earlier claim.
     */
    private boolean withdrawing;

    private long grantedTerm;

    /** A member that lost the claim and has perhaps not stopped yet. Only {@link #release} releases the lease. */
    private @Nullable Claimant stopping;

    private long stoppingTerm;

    /**
     * The difference between the loop's and the hub's number of the same save. The loop continues its numbers in the
     * next term, and the hub starts at 1 in every term.
     */
    private long savedBefore;

    private long lastSave;

    private Runnable atEnd = () -> {};
    private volatile Known known;

    /** The counters of this node. Only the loop thread changes them. */
    private volatile Tally tally;

    SlotElection(
            String election, LoopContext context, Supplier<ClaimOutcomes> outcomes, Consumer<ElectionView> changes) {
        this.election = election;
        this.threads = context.threads();
        this.outcomes = outcomes;
        this.changes = changes;
        this.used = threads.now();
        this.known = new Known(Optional.empty(), 0, wall(used));
        this.tally = Tally.startedAt(used.nanos());
        this.loop = new LeaseLoop(context, election, Priority.DEFAULT, this);
    }

    void open() {
        loop.start();
    }

    /**
     * Tries to acquire the lease for this member. The hub submits a claim only after it has released the previous
     * claim, or after the previous claim was rejected.
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
            tally = tally.withOverrun(0);
            loop.workStopped(stoppingTerm);
        } else if (leaving.equals(claimant)) {
            withdraw();
        }
    }

    /** Returns true if a member of this hub holds the slot. Any thread may call this method. */
    boolean isHeld() {
        return granted;
    }

    boolean isHeldBy(Claimant member) {
        return granted && member.equals(claimant);
    }

    /** Saves state if the claimant still holds the slot in this term. */
    void save(Claimant saving, long term, long number, SavedState state) {
        if (saving.equals(claimant) && granted && !withdrawing && term == grantedTerm) {
            loop.save(savedBefore + number, state);
            lastSave = savedBefore + number;
        }
    }

    /** Releases the lease, ends the loop, and then calls {@code ended}. */
    void leave(Runnable ended) {
        claimant = null;
        granted = false;
        atEnd = ended;
        loop.leave();
    }

    /**
     * Returns true if the election has no claim, leader or pause. The election is not vacant while the loop withdraws
     * or a former holder is stopping.
     */
    boolean isVacant() {
        return claimant == null && !withdrawing && known.leader().isEmpty() && paused().isEmpty();
    }

    /** Returns how long the election has been vacant; zero if it is not vacant. */
    Duration vacantFor() {
        return isVacant() ? Duration.ofNanos(threads.now().nanosSince(used)) : Duration.ZERO;
    }

    String election() {
        return election;
    }

    /**
     * Returns a text that names who paused the election and why. The result is empty if the election is not paused. Any
     * thread may call this method.
     */
    Optional<String> paused() {
        return loop.view()
                .state()
                .notes()
                .pause()
                .map(pause -> "the election was paused by " + pause.by()
                        + (pause.reason().isEmpty() ? "" : " (" + pause.reason() + ")"));
    }

    /**
     * Returns the last known state of the election. The result is empty before the store's first answer. Any thread may
     * call this method.
     */
    Optional<ElectionView> view() {
        Known now = known;
        return loop.view().lastConfirmed().map(confirmed -> now.view(election, wall(confirmed), storeFault(now)));
    }

    /** Returns the fault of the store because of which nobody leads; empty if there is none. */
    private Optional<Explanation> storeFault(Known now) {
        return now.leader().isPresent()
                ? Optional.empty()
                : Optional.of(loop.explain())
                        .filter(why -> why.reason() == Reason.STORE_AWAY || why.reason() == Reason.STORE_REFUSES);
    }

    /**
     * Returns the metrics of this node. Any thread may call this method.
     *
     * @param nanos the present time of the monotonic clock
     */
    ElectionMetrics metrics(long nanos) {
        return new ElectionMetrics(election, granted, known.lastTerm(), tally.at(nanos));
    }

    /** Returns the time of the store's last answer; empty before its first answer. Any thread may call this method. */
    Optional<Moment> lastAnswer() {
        return loop.view().lastConfirmed();
    }

    @Override
    public void observed(LeaseState state, Moment now) {
        if (!isVacant()) {
            used = now;
        }
        // A claim can arrive before the first read of the lease. Only that read shows that the election is paused.
        Claimant waiting = claimant;
        Optional<String> paused = paused();
        if (waiting != null && !granted && !withdrawing && paused.isPresent()) {
            withdraw();
            outcomes.get().paused(waiting, paused.get());
        }
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
        tally = tally.withElection();
        Claimant waiting = claimant;
        // A claim can acquire the lease while it withdraws. The withdrawal then releases the lease.
        if (waiting != null && !withdrawing) {
            granted = true;
            grantedTerm = event.term();
            savedBefore = lastSave;
            outcomes.get().granted(waiting, event.term(), event.state());
        }
    }

    @Override
    public void lost(ElectionEvent.Lost event) {
        tally = tally.withLoss(event.cause());
        Claimant holder = claimant;
        if (holder != null && granted && !withdrawing) {
            stopping = holder;
            stoppingTerm = event.term();
            tally = tally.withOverrun(1);
            withdraw();
            outcomes.get().lost(holder, event.term(), event.cause());
        } else {
            // The hub has already released this claim. It releases a claim only after the member has stopped.
            loop.workStopped(event.term());
        }
    }

    @Override
    public void jeopardy(ElectionEvent.Jeopardy event) {
        tally = tally.withJeopardy();
    }

    @Override
    public void recovered(ElectionEvent.Recovered event) {}

    @Override
    public void overlapped(ElectionEvent.Overlapped event) {
        tally = tally.withOverlap();
    }

    @Override
    public void leaderChanged(ElectionEvent.LeaderChanged event) {
        long term = event.leader().map(Leader::term).orElse(known.lastTerm());
        Moment now = threads.now();
        known = new Known(event.leader(), term, wall(now));
        tally = tally.withLeader(event.leader().isPresent(), now.nanos());
        changes.accept(known.view(election, known.since(), Optional.empty()));
    }

    private void withdraw() {
        claimant = null;
        granted = false;
        withdrawing = true;
        loop.withdraw();
    }

    private static Identity identity(Claimant claimant) {
        return new Identity(claimant.clientId(), claimant.connectionId());
    }

    private static Instant wall(Moment moment) {
        return Instant.ofEpochMilli(moment.wallMillis());
    }

    /** The last known leader, with the last term and the time of the last change. */
    private record Known(Optional<Leader> leader, long lastTerm, Instant since) {
        ElectionView view(String name, Instant lastUpdate, Optional<Explanation> noLeader) {
            return new ElectionView(
                    name, leader, lastTerm, since, lastUpdate, Optional.empty(), Optional.empty(), noLeader);
        }
    }
}
