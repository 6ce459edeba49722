package dev.doyen;

import dev.doyen.candidate.CandidateEvents;
import dev.doyen.candidate.EligibilityTracker;
import dev.doyen.candidate.ListenerRegistry;
import dev.doyen.candidate.OpenCalls;
import dev.doyen.candidate.PendingCalls;
import dev.doyen.candidate.Saves;
import dev.doyen.candidate.TermWork;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.LeaseTiming;
import dev.doyen.event.ElectionEvent;
import dev.doyen.lease.Identity;
import dev.doyen.lease.LeaderLease;
import dev.doyen.store.LeaseNotes;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A candidate by lease. The class connects the loop's events to the work of each term. */
final class LoopCandidate extends LoopObserver implements LeaseCandidate {

    private final Identity identity;
    private final Saves saves;
    private final EligibilityTracker eligibility;
    private final TermWork<LeaseLeadership> work;
    private final CandidateEvents<LeaseLeadership> events;
    private final OpenCalls open;
    private final PendingCalls calls;

    /** The futures of {@link #leave}. The end of the loop completes them; see {@link OpenCalls#end}. */
    private final PendingCalls leaves;

    LoopCandidate(LeaseElection home, Identity identity, Optional<HealthCheck> health) {
        super(home);
        this.identity = identity;
        this.saves = new Saves((term, save, state) -> loop().save(save, state));
        this.eligibility = new EligibilityTracker(loop()::eligibilityChanged, home().threads(), health);
        this.work = new TermWork<>(election(), identity.id(), home().threads(), eligibility);
        this.events = new CandidateEvents<>(election(), work, saves, listeners(), new LeaseTerms());
        this.open = new OpenCalls(home().threads());
        this.calls = new PendingCalls(election(), home().threads());
        this.leaves = new PendingCalls(election(), home().threads());
    }

    @Override
    void begin() {
        super.begin();
        eligibility.begin();
        loop().campaign(identity);
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
    public Optional<LeaseLeadership> leadership() {
        return holding().map(this::leadership);
    }

    @Override
    public <X extends Exception> boolean whileLeading(LeaderTask<? super LeaseLeadership, X> task)
            throws X, InterruptedException {
        return work.whileLeading(task);
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
    public CompletableFuture<Void> transferTo(String successor) {
        ElectionNames.check("candidate id", successor);
        return whenSettled(() -> loop().resign(timing().resignCooldown(), successor));
    }

    @Override
    public CompletableFuture<Void> stepDown(LeaseNotes.StepDownRequest request) {
        return stepDown(request, timing().resignCooldown());
    }

    @Override
    public CompletableFuture<Void> stepDown(LeaseNotes.StepDownRequest request, Duration cooldown) {
        LeaseTiming.checkCooldown(cooldown);
        return whenSettled(() -> loop().stepDown(request, cooldown));
    }

    @Override
    public CompletableFuture<Void> pause() {
        return whenSettled(eligibility::pause);
    }

    @Override
    public void resume() {
        home().threads().loop(eligibility::resume);
    }

    /**
     * Runs {@code call}, which sends a request to the machine, on the loop thread. The future completes when the
     * machine has carried out the request or has ended. The future fails if the loop has dropped an input.
     */
    private CompletableFuture<Void> whenSettled(Runnable call) {
        CompletableFuture<Void> done = open.begin();
        onLoop(done, () -> {
            // The call only queues the input. The task below runs after the loop has tried to process the input for the
            // first time. So the end of an earlier call does not complete this call.
            call.run();
            onLoop(done, () -> settleLater(done));
        });
        return done;
    }

    /** Runs {@code task} on the loop thread. If the threads are closed, the method completes {@code done} instead. */
    private void onLoop(CompletableFuture<Void> done, Runnable task) {
        if (!home().threads().loop(task)) {
            done.complete(null);
        }
    }

    /** Completes {@code done} when the machine has settled, or at once if the loop is quiet. */
    private void settleLater(CompletableFuture<Void> done) {
        calls.add(done);
        if (loop().isQuiet()) {
            settled();
        }
    }

    @Override
    public Registration listen(ElectionListener<? super LeaseLeadership> listener) {
        return listeners().listen(listener, this::reportPresentState);
    }

    @Override
    public CompletableFuture<Void> leave() {
        CompletableFuture<Void> left = open.begin();
        endLoop();
        // The task below runs after the loop has tried to process the input for the first time. The loop never drops an
        // input at its first attempt.
        onLoop(left, () -> leaves.add(left));
        return left;
    }

    @Override
    void endLoop() {
        work.close();
        eligibility.end();
        super.endLoop();
    }

    @Override
    boolean waitsForCaller() {
        return work.waitsForCaller() || super.waitsForCaller();
    }

    @Override
    public void onEvent(ElectionEvent event) {
        event.accept(events);
    }

    @Override
    public void saved(long save) {
        saves.confirmed(save);
    }

    @Override
    public void settled() {
        calls.complete();
    }

    @Override
    public void dropped() {
        calls.fail();
        leaves.fail();
    }

    @Override
    public void ended() {
        try {
            open.end();
        } finally {
            super.ended();
        }
    }

    /** Reports {@code elected} before it reports the leader, as rule L9 requires. */
    @Override
    void reportPresentState(ListenerRegistry.FirstCalls<LeaseLeadership> first) {
        loop().leaderLease().map(this::leadership).ifPresent(l -> first.offer(listener -> listener.elected(l)));
        super.reportPresentState(first);
    }

    /**
     * Resigns the term, and waits at most one ttl for the release of the lease. The lease is released only after the
     * listeners have returned, so without this limit a listener that hangs would block the thread of the task.
     */
    private void resignAndWait(long term) {
        CompletableFuture<Void> settled = whenSettled(() -> loop().resignTerm(term));
        try {
            home().threads().await(settled, timing().ttl());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the leader lease if it is valid now by both clocks (rules L4, L5). */
    private Optional<LeaderLease> holding() {
        return loop().leaderLease().filter(g -> g.holdsAt(home().threads().now()));
    }

    private LeaseLeadership leadership(LeaderLease leaderLease) {
        return new LoopLeadership(election(), leaderLease, loop(), home().threads(), saves);
    }

    /** Begins and ends this candidate's terms when the loop reports them. */
    private final class LeaseTerms implements CandidateEvents.Terms<LeaseLeadership> {
        @Override
        public LeaseLeadership begin(ElectionEvent.Elected event) {
            return leadership(loop().view().state().leaderLease().orElseThrow());
        }

        @Override
        public void resignAndWait(long term) {
            LoopCandidate.this.resignAndWait(term);
        }

        @Override
        public void workStopped(long term) {
            loop().workStopped(term);
        }
    }
}
