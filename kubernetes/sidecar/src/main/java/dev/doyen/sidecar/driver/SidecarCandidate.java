package dev.doyen.sidecar.driver;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.Priority;
import dev.doyen.elector.Admin;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metered.MeteredStore;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.metrics.StoreCall;
import dev.doyen.metrics.StoreErrorKind;
import dev.doyen.metrics.StoreOperation;
import dev.doyen.metrics.StoreOutcome;
import dev.doyen.sidecar.AppSign;
import dev.doyen.sidecar.CampaignDecision;
import dev.doyen.sidecar.Leaving;
import dev.doyen.sidecar.Mode;
import dev.doyen.sidecar.Reported;
import dev.doyen.sidecar.SidecarSettings;
import dev.doyen.sidecar.StartGate;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Controls the sidecar's candidate according to the decisions of the sidecar's state machines.
 *
 * <p>Threads: one thread owns the machines and processes one input after another. Callers enqueue inputs, and some
 * callers wait until their input has been processed. The candidate's {@code lost} callback also waits until the loss is
 * written to the event streams, because the lease is released when the callback returns.
 *
 * <p>The class is long, because every input changes the same machines.
 */
final class SidecarCandidate implements ElectionListener<LeaseLeadership> {

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    private static final long CHECK_APP_MILLIS = 20;
    private static final long CHECK_PORT_MILLIS = 1_000;
    private static final long OBSERVE_DURING_SHUTDOWN_MILLIS = 200;
    private static final long RETRY_MILLIS = 1_000;

    private final ThreadFactory factory;
    private final SidecarSettings settings;
    private final AppSigns signs;
    private final KnownElection known;
    private final Consumer<ElectionView> changes;
    private final Supplier<CompletableFuture<Void>> written;
    private final MachineThread thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private CampaignDecision decision = CampaignDecision.BEGIN;
    private volatile boolean campaigns = true;
    private volatile Leaving leaving;
    private AppSign app = AppSign.UNKNOWN;
    private volatile StartGate gate = StartGate.startedAt(System.nanoTime());
    private volatile boolean checksHealth;
    private final Counters counters = new Counters();
    private volatile @Nullable Opened opened;

    /** The election, its candidate and its store, after the store has been opened. */
    record Opened(Election election, LeaseCandidate candidate, MeteredStore store) {}

    /**
     * Creates the driver. Neither {@code changes} nor {@code written} may block.
     *
     * @param changes the callback that receives each change of the reported leader
     * @param written the function whose future completes when all earlier changes have been written to the streams
     */
    SidecarCandidate(
            SidecarSettings settings,
            AppSigns signs,
            Consumer<ElectionView> changes,
            Supplier<CompletableFuture<Void>> written) {
        this(settings, signs, changes, written, Thread::new);
    }

    /**
     * Creates the driver for a test.
     *
     * @param factory the factory of the thread that closes the election
     */
    SidecarCandidate(
            SidecarSettings settings,
            AppSigns signs,
            Consumer<ElectionView> changes,
            Supplier<CompletableFuture<Void>> written,
            ThreadFactory factory) {
        this.factory = factory;
        this.settings = settings;
        this.signs = signs;
        this.changes = changes;
        this.written = written;
        this.known = new KnownElection(settings.election(), Reported.begin(settings.mode(), settings.id()));
        this.leaving = Leaving.begin(settings.release(), settings.grace(), settings.ttl());
        this.thread = new MachineThread(settings.election());
    }

    /** Campaigns with an open store, which {@link #close} closes. */
    void open(LeaseStore store, Optional<HealthCheck> health) {
        var metered = metered(store);
        var used = settings.mode() == Mode.NON_EXPIRING
                ? new PatientTakeover(metered, settings.ttl(), System::nanoTime)
                : metered;
        // After SIGTERM the sidecar holds the lease until the app has stopped.
        var lease = Election.lease(settings.election())
                .store(used)
                .ttl(settings.ttl())
                .priority(Priority.DEFAULT.withGeneration(settings.generation()))
                .closeOnShutdown(false);
        checksHealth = health.isPresent();
        health.map(this::untilShutdown).ifPresent(lease::health);
        join(lease.open(), metered);
    }

    /**
     * Returns a check that passes after the shutdown has begun.
     *
     * <p>An app that is shutting down often fails its health check, but still runs. So the health ends neither the wait
     * for the app nor the leadership that the sidecar then releases.
     */
    private HealthCheck untilShutdown(HealthCheck health) {
        return new HealthCheck(
                () -> health.check().getAsBoolean() || leaving.phase() != Leaving.Phase.SERVING,
                health.every(),
                health.fallAfter(),
                health.riseAfter(),
                health.whenNoneHealthy());
    }

    /**
     * Campaigns with a store that supports only non-expiring leases.
     *
     * <p>The method ignores the health check, because no other candidate could replace an unhealthy leader.
     */
    void openNonExpiring(LeaseStore.NonExpiringLeases leases, boolean healthConfigured) {
        var sentence = leases.why()
                + (healthConfigured
                        ? "; the health check has no effect, because no other candidate could take over"
                        : "");
        LOG.log(Level.WARNING, "election=" + settings.election() + " " + sentence);
        thread.put(() -> known.nonExpiring(sentence));
        var metered = metered(leases.store());
        join(
                Election.lease(settings.election())
                        .store(metered)
                        .ttl(settings.ttl())
                        .closeOnShutdown(false)
                        .open(),
                metered);
    }

    /** Records that the store could not be opened. The failed attempt counts as a read. */
    void cannotOpen(StoreUnavailableException fault, long nanos) {
        known.cannotOpen(fault);
        var kind = Optional.of(StoreErrorKind.of(fault));
        count(new StoreCall(StoreOperation.READ, StoreOutcome.FAILED, false, kind, nanos));
    }

    private MeteredStore metered(LeaseStore store) {
        return new MeteredStore(store, this::count);
    }

    private void count(StoreCall call) {
        thread.put(() -> {
            counters.count(call);
            gate = gate.called();
        });
    }

    private void join(Election election, MeteredStore metered) {
        thread.put(() -> {
            if (!leaving.phase().equals(Leaving.Phase.SERVING)) {
                election.close();
                return;
            }
            LeaseCandidate candidate;
            try {
                candidate = election.join(settings.id());
            } catch (Throwable e) {
                thread.report("the start as a candidate", e);
                thread.putAfter(() -> join(election, metered), RETRY_MILLIS, TimeUnit.MILLISECONDS);
                return;
            }
            opened = new Opened(election, candidate, metered);
            known.open(candidate, metered);
            candidate.listen(this);
            observeApp();
        });
    }

    private void observeApp() {
        if (signs.observesProcesses()) {
            thread.repeat("a check of the app", this::checkApp, CHECK_APP_MILLIS);
        } else if (signs.observesPort()) {
            thread.repeat("a check of the app's port", signs::observePortUntilOpen, CHECK_PORT_MILLIS);
        }
    }

    KnownElection known() {
        return known;
    }

    Optional<Opened> opened() {
        return Optional.ofNullable(opened);
    }

    SidecarSettings settings() {
        return settings;
    }

    boolean isStarted() {
        return isStartedAt(System.nanoTime());
    }

    /** Returns true if the app may start at this time, by {@link System#nanoTime}. */
    boolean isStartedAt(long now) {
        return gate.isOpenAt(now, checksHealth && known.isVacant());
    }

    /** Returns why the pod is not ready yet in a rolling update; empty if nothing delays its readiness. */
    List<String> readinessObstacles() {
        return gate.delaysReadinessAt(System.nanoTime(), settings.generation() > 0 && known.mustAsk())
                ? List.of("this candidate has not yet asked a leader of an older generation of the election \""
                        + settings.election() + "\" to hand over, or has not yet read the leader; request again")
                : List.of();
    }

    Counters counters() {
        return counters;
    }

    /** Changes the decision whether the candidate campaigns. Waits at most 5 s until the change has been processed. */
    void campaign(UnaryOperator<CampaignDecision> change) {
        thread.putAndWait(() -> {
            decision = change.apply(decision);
            applyDecision();
            decision.campaignUntil()
                    .ifPresent(until -> thread.putAfter(
                            this::applyDecision, Math.max(0, until - System.nanoTime()) + 1, TimeUnit.NANOSECONDS));
        });
    }

    /** Returns true if the candidate campaigns according to the last decision. Threads: any. */
    boolean campaigns() {
        return campaigns;
    }

    /**
     * Records that the app has reported the end of its work as the leader. Returns true if the shutdown was waiting for
     * this report.
     */
    boolean appStopped() {
        var waited = new CompletableFuture<Boolean>();
        thread.put(() -> {
            waited.complete(leaving.phase() == Leaving.Phase.HOLDING);
            carry(leaving.appStopped());
        });
        return waited.completeOnTimeout(false, MachineThread.MAX_WAIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Starts the shutdown, which completes {@link #ended}. A second call ends the wait for the app. */
    void leave() {
        thread.put(() -> carry(leaving.signalReceived(System.nanoTime(), leads(), signs.observe())));
    }

    /**
     * Returns a future that completes at the end of the shutdown.
     *
     * <p>At this time, the sidecar has released the lease, has failed to release it, or has decided not to release it.
     *
     * <p>After this time, the sidecar need not answer requests any more.
     */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Ends the machines' thread, and closes the store. Does not release the lease. */
    void close() {
        thread.stop();
        opened().ifPresent(now -> now.store().close());
    }

    VersionedLease read() {
        return opened().orElseThrow().store().read(settings.election());
    }

    /** Returns the author of admin commands, as the record names it: the admin and this elector. */
    String author(Admin by) {
        return by.name() + " through the elector " + settings.id();
    }

    boolean leads() {
        return known.view()
                .flatMap(ElectionView::leader)
                .filter(leader -> leader.id().equals(settings.id()))
                .isPresent();
    }

    @Override
    public void elected(LeaseLeadership leadership) {
        thread.put(() -> {
            counters.count(tally -> tally.withElection());
            report(known.reported().elected(leadership.term()));
        });
    }

    @Override
    public void lost(LossCause cause) {
        thread.putAndWait(() -> {
            counters.count(tally -> tally.withLoss(cause).withOverrun(1));
            report(known.reported().lost(cause));
            carry(leaving.appStopped());
        });
        thread.await(written.get());
        // Until the streams have the loss, the app can still work as the leader.
        thread.put(() -> counters.count(tally -> tally.withOverrun(0)));
    }

    @Override
    public void jeopardy(Duration remaining, String reason) {
        thread.put(() -> counters.count(tally -> tally.withJeopardy()));
    }

    @Override
    public void overlapped(long term, Leader by) {
        thread.put(() -> counters.count(tally -> tally.withOverlap()));
    }

    @Override
    public void leaderChanged(Optional<Leader> leader) {
        thread.put(() -> report(known.reported().seen(leader)));
    }

    private void report(Reported next) {
        if (known.report(next)) {
            boolean somebody = next.reportedLeader(true).isPresent();
            counters.count(tally -> tally.withLeader(somebody, System.nanoTime()));
            gate = gate.seen(somebody);
        }
        known.view().ifPresent(view -> thread.survives("the listener of leader changes", () -> changes.accept(view)));
    }

    private void checkApp() {
        var sign = signs.observeProcesses();
        if (sign != app) {
            app = sign;
            LOG.log(
                    Level.INFO,
                    "election=" + settings.election() + " the app " + (sign == AppSign.ENDED ? "has ended" : "runs"));
            decision = decision.app(sign == AppSign.ENDED);
            applyDecision();
        }
        if (sign == AppSign.ENDED) {
            carry(leaving.appStopped());
        }
    }

    private void applyDecision() {
        var now = opened;
        boolean shouldCampaign = decision.campaignsAt(System.nanoTime());
        if (now != null && shouldCampaign != campaigns && leaving.phase() == Leaving.Phase.SERVING) {
            campaigns = shouldCampaign;
            if (shouldCampaign) {
                now.candidate().resume();
            } else {
                now.candidate().pause();
            }
        }
    }

    private void carry(Leaving.Step step) {
        leaving = step.next();
        for (var effect : step.effects()) {
            thread.survives("a step of leaving", () -> carryOut(effect));
        }
    }

    private void carryOut(Leaving.Effect effect) {
        switch (effect) {
            case STOP_REPORTING -> stopReporting();
            case RELEASE -> releaseLease();
            case END -> ended.complete(null);
        }
    }

    private void stopReporting() {
        report(known.reported().withoutOwnCandidate());
        if (leaving.phase() == Leaving.Phase.HOLDING) {
            LOG.log(
                    Level.INFO,
                    () -> "election=" + settings.election() + " leaving: the lease is held until the app has stopped");
            thread.repeat("a check of the app", this::observeDuringShutdown, OBSERVE_DURING_SHUTDOWN_MILLIS);
        }
    }

    private void observeDuringShutdown() {
        if (leaving.phase() == Leaving.Phase.HOLDING && signs.observe() == AppSign.ENDED) {
            carry(leaving.appStopped());
        }
        carry(leaving.passed(System.nanoTime()));
    }

    /**
     * Releases the lease on another thread.
     *
     * <p>The release waits for callbacks, and these callbacks wait for the machines' thread.
     *
     * <p>An unavailable store delays the exit by at most 1.5 s.
     */
    private void releaseLease() {
        var now = opened;
        var closing = new CompletableFuture<Void>();
        CompletableFuture<?> unused = closing.whenComplete((done, fault) -> {
            thread.put(() -> carry(leaving.released()));
            if (fault != null) {
                LOG.log(
                        Level.WARNING,
                        "the lease could not be released; another candidate can lead when the lease has expired");
            }
        });
        Runnable late = () -> closing.completeExceptionally(new TimeoutException());
        thread.putAfter(late, Leaving.RESERVE.toMillis() * 3 / 4, TimeUnit.MILLISECONDS);
        try {
            Thread own = factory.newThread(() -> {
                try {
                    if (now != null) {
                        now.election().close();
                    }
                    closing.complete(null);
                } catch (Throwable e) {
                    closing.completeExceptionally(e);
                }
            });
            own.setName("doyen-close");
            own.setDaemon(true);
            own.start();
        } catch (Throwable e) {
            closing.completeExceptionally(e);
        }
    }
}
