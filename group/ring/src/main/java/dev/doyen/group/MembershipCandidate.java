package dev.doyen.group;

import dev.doyen.candidate.EligibilityTracker;
import dev.doyen.candidate.Saves;
import dev.doyen.candidate.TermScope;
import dev.doyen.candidate.TermWork;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.group.driver.MembershipLoop;
import dev.doyen.health.Eligibility;
import dev.doyen.ring.RingInput;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A candidate over a membership. It connects the loop's events to the work of each term. */
final class MembershipCandidate extends MembershipObserver implements RingCandidate {

    private final EligibilityTracker eligibility;
    private final boolean checksHealth;
    private final TermWork<RingLeadership> work;
    private final Saves saves;

    /** Calls that wait until the loop has settled; on the loop thread. */
    private List<CompletableFuture<Void>> asked = List.of();

    /** Whether the loop has received the close; written on the loop thread. */
    private volatile boolean closing;

    /** Whether the next {@link #settled} ends this candidate; on the loop thread. */
    private boolean closed;

    MembershipCandidate(MembershipElection home, Optional<HealthCheck> health) {
        super(home);
        this.eligibility = new EligibilityTracker(this::eligibilityChanged, home.threads(), health);
        this.checksHealth = health.isPresent();
        this.work = new TermWork<>(home.name(), home.me().id(), home.threads(), eligibility);
        this.saves = new Saves(loop()::save);
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

    /** {@inheritDoc} The successor is the member of this id. */
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
        if (!work.isCurrentThread() && !listeners().isCurrentThread()) {
            await(done);
        }
    }

    /** Waits at most for the leader lease, even if the work does not stop. */
    private void await(CompletableFuture<Void> done) {
        try {
            home().threads().await(done, home().durations().lead());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    void told(ElectionEvent event) {
        super.told(event);
        event.accept(new OnEvent());
    }

    /** The loop has carried out all calls; on the loop thread. */
    void settled() {
        List<CompletableFuture<Void>> all = asked;
        asked = List.of();
        if (closed) {
            home().forget(this);
        }
        all.forEach(done -> done.completeAsync(() -> null, home().threads()::callback));
    }

    /** Keeps the order of rule L9: {@code elected} comes before the leader. */
    @Override
    void reportPresentState(ElectionListener<? super RingLeadership> listener) {
        loop().leading().flatMap(this::leadership).ifPresent(l -> listeners().offer(() -> listener.elected(l)));
        super.reportPresentState(listener);
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

    /** Runs {@code ask} on the loop thread. The future completes when the loop has carried it out, or has ended. */
    private CompletableFuture<Void> whenSettled(Runnable ask) {
        var done = new CompletableFuture<Void>();
        boolean accepted = home().threads().loop(() -> {
            if (!closing) {
                // This only queues the input. The task below runs after the loop has taken it.
                ask.run();
            }
            home().threads().loop(() -> {
                asked = new ArrayList<>(asked);
                asked.add(done);
                closed = closing;
                if (loop().isQuiet()) {
                    settled();
                }
            });
        });
        if (!accepted) {
            done.complete(null);
        }
        return done;
    }

    /** Empty if the term has ended. */
    private Optional<RingLeadership> leadership(long term) {
        return loop().state(term).map(state -> leadership(term, state));
    }

    private RingLeadership leadership(long term, SavedState state) {
        return new MembershipLeadership(election(), term, state, loop(), home().threads(), saves);
    }

    /** The saves up to this number are confirmed; on the loop thread. */
    void saved(long save) {
        saves.confirmed(save);
    }

    private void resignAndWait(long term) {
        await(whenSettled(() -> loop().resignTerm(term, home().durations().cooldown())));
    }

    /** Passes events to the work and to the listeners; on the loop thread. */
    private final class OnEvent implements ElectionEvent.Cases {
        @Override
        public void elected(ElectionEvent.Elected event) {
            MembershipLoop loop = loop();
            RingLeadership leadership = leadership(event.term(), event.state());
            work.begin(new TermScope<>(
                    election(), leadership, event.term(), MembershipCandidate.this::resignAndWait, loop::workStopped));
            listeners().notifyLater(l -> l.elected(leadership));
        }

        @Override
        public void jeopardy(ElectionEvent.Jeopardy event) {
            listeners().notifyLatest("doubt", l -> l.jeopardy(event.remaining(), event.reason()));
        }

        @Override
        public void recovered(ElectionEvent.Recovered event) {
            listeners().notifyLatest("doubt", ElectionListener::recovered);
        }

        @Override
        public void lost(ElectionEvent.Lost event) {
            work.end(listeners(), event, loop()::workStopped, () -> saves.termEnded(election(), event.term()));
        }

        @Override
        public void overlapped(ElectionEvent.Overlapped event) {
            throw new IllegalStateException(
                    "a ring reports no overlap, because no member sees the work of the other side: " + event);
        }

        @Override
        public void leaderChanged(ElectionEvent.LeaderChanged event) {
            // The superclass calls the listeners.
        }
    }
}
