package dev.doyen.group;

import dev.doyen.candidate.CandidateEvents;
import dev.doyen.candidate.EligibilityTracker;
import dev.doyen.candidate.ListenerRegistry;
import dev.doyen.candidate.PendingCalls;
import dev.doyen.candidate.Saves;
import dev.doyen.candidate.TermWork;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.health.Eligibility;
import dev.doyen.ring.RingInput;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A candidate over a membership. The candidate starts and stops the work of each term when the {@code MembershipLoop}
 * reports an event.
 */
final class MembershipCandidate extends MembershipObserver implements RingCandidate {

    private final EligibilityTracker eligibility;
    private final boolean checksHealth;
    private final TermWork<RingLeadership> work;
    private final Saves saves;
    private final CandidateEvents<RingLeadership> events;
    private final PendingCalls calls;

    /** True after the loop thread has started the call of {@link #leave}. Only the loop thread writes this field. */
    private volatile boolean closing;

    /** True if the next call of {@link #settled} ends this candidate. Only the loop thread uses this field. */
    private boolean closed;

    MembershipCandidate(MembershipElection home, Optional<HealthCheck> health) {
        super(home);
        this.eligibility = new EligibilityTracker(this::eligibilityChanged, home.threads(), health);
        this.checksHealth = health.isPresent();
        this.work = new TermWork<>(home.name(), home.me().id(), home.threads(), eligibility);
        this.saves = new Saves(loop()::save);
        this.events = new CandidateEvents<>(home.name(), work, saves, listeners(), new RingTerms());
        this.calls = new PendingCalls(home.name(), home.threads());
    }

    void begin() {
        eligibility.begin();
        if (!checksHealth) {
            loop().campaign();
        }
    }

    @Override
    public String id() {
        return home().me().id();
    }

    @Override
    public boolean isLeader() {
        return !closing && loop().leading().isPresent();
    }

    @Override
    public Optional<RingLeadership> leadership() {
        return closing ? Optional.empty() : loop().leading().flatMap(this::leadership);
    }

    @Override
    public <X extends Exception> boolean whileLeading(LeaderTask<? super RingLeadership, X> task)
            throws X, InterruptedException {
        return work.whileLeading(task);
    }

    @Override
    public CompletableFuture<Void> resign() {
        return resign(home().durations().cooldown());
    }

    @Override
    public CompletableFuture<Void> resign(Duration cooldown) {
        RingInput.checkCooldown(cooldown);
        return whenSettled(() -> loop().resign(cooldown));
    }

    /** {@inheritDoc} The argument {@code successor} is the id of a member. */
    @Override
    public CompletableFuture<Void> transferTo(String successor) {
        ElectionNames.check("candidate id", successor);
        return whenSettled(() -> loop().handOver(successor, home().durations().cooldown()));
    }

    @Override
    public CompletableFuture<Void> pause() {
        return whenSettled(eligibility::pause);
    }

    @Override
    public void resume() {
        home().threads().loop(eligibility::resume);
    }

    @Override
    public Registration listen(ElectionListener<? super RingLeadership> listener) {
        return listeners().listen(listener, this::reportPresentState);
    }

    @Override
    public CompletableFuture<Void> leave() {
        work.close();
        eligibility.end();
        return whenSettled(() -> {
            closing = true;
            loop().withdraw(LossCause.CLOSED);
        });
    }

    @Override
    public void close() {
        CompletableFuture<Void> done = leave();
        if (!work.waitsForCaller() && !listeners().waitsForCaller()) {
            await(done);
        }
    }

    /** Waits until the future completes, but not longer than the leader lease. */
    private void await(CompletableFuture<Void> done) {
        try {
            home().threads().await(done, home().durations().lead());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    void onEvent(ElectionEvent event) {
        event.accept(events);
    }

    /** Completes the futures of all calls that the loop has carried out. Runs on the loop thread. */
    void settled() {
        if (closed) {
            home().forget(this);
        }
        calls.complete();
    }

    /** Fails the futures of all calls, because the loop has possibly not carried out one of them. */
    void dropped() {
        calls.fail();
    }

    /** Reports {@code elected} before it reports the leader, as rule L9 requires. */
    @Override
    void reportPresentState(ListenerRegistry.FirstCalls<RingLeadership> first) {
        loop().leading().flatMap(this::leadership).ifPresent(l -> first.offer(listener -> listener.elected(l)));
        super.reportPresentState(first);
    }

    private void eligibilityChanged(Eligibility eligibility) {
        if (closing) {
            return;
        }
        switch (eligibility) {
            case FIT, LAST_RESORT -> loop().campaign();
            case UNFIT -> loop().withdraw(LossCause.UNHEALTHY);
            case PAUSED -> loop().withdraw(LossCause.PAUSED);
            case WITHOUT_TASK -> loop().withdraw(LossCause.RESIGNED);
        }
    }

    /**
     * Runs {@code call} on the loop thread. The future completes after the loop has carried out the call or has ended.
     * The future fails if the loop has dropped an input.
     */
    private CompletableFuture<Void> whenSettled(Runnable call) {
        CompletableFuture<Void> done = home().calls().begin();
        onLoop(done, () -> {
            if (!closing) {
                // The call only queues the input. The task below runs after the loop has tried to process the input for
                // the first time.
                call.run();
            }
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

    /** Completes {@code done} when the loop is quiet, or at once if the election has forgotten this candidate. */
    private void settleLater(CompletableFuture<Void> done) {
        if (!home().calls().haveEnded()) {
            calls.add(done);
        }
        closed = closing;
        if (loop().isQuiet() || home().hasForgotten(this)) {
            settled();
        }
    }

    /** Returns the leadership of this term; empty if the term has ended. */
    private Optional<RingLeadership> leadership(long term) {
        return loop().state(term).map(state -> leadership(term, state));
    }

    private RingLeadership leadership(long term, SavedState state) {
        return new MembershipLeadership(election(), term, state, loop(), home().threads(), saves);
    }

    /** Completes the futures of all saves up to this number. Runs on the loop thread. */
    void saved(long save) {
        saves.confirmed(save);
    }

    /** Creates the leadership objects that the events of this candidate contain. */
    private final class RingTerms implements CandidateEvents.Terms<RingLeadership> {
        @Override
        public RingLeadership begin(ElectionEvent.Elected event) {
            return leadership(event.term(), event.state());
        }

        @Override
        public void resignAndWait(long term) {
            await(whenSettled(() -> loop().resignTerm(term, home().durations().cooldown())));
        }

        @Override
        public void workStopped(long term) {
            loop().workStopped(term);
        }
    }
}
