package dev.doyen.sidecar.driver;

import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.election.ElectionListener;
import dev.doyen.election.HealthCheck;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metrics.Tally;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.log.FaultLog;
import dev.doyen.sidecar.AppSign;
import dev.doyen.sidecar.CampaignDecision;
import dev.doyen.sidecar.Leaving;
import dev.doyen.sidecar.Mode;
import dev.doyen.sidecar.Reported;
import dev.doyen.sidecar.SidecarSettings;
import dev.doyen.sidecar.StartGate;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.NonExpiringLeases;
import dev.doyen.store.VersionedLease;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Drives the sidecar's candidate with the decisions of its machines.
 *
 * <p>Threads: one thread owns the machines and processes one input after the other; callers only enqueue inputs. The
 * candidate's {@code lost} callback waits until the loss is written to the event streams, because the lease is released
 * when it returns.
 *
 * <p>The class is longer than most, because it contains every input of this thread and its effect.
 */
final class SidecarCandidate implements ElectionListener<LeaseLeadership> {

    private static final System.Logger LOG = System.getLogger("dev.doyen");
    private static final long LOOK_MILLIS = 20;
    private static final long LOOK_WHILE_LEAVING_MILLIS = 200;
    private static final long PATIENCE_SECONDS = 5;
    private static final long RETRY_MILLIS = 1_000;

    private final FaultLog faults = new FaultLog(LOG);
    private final ThreadFactory factory;
    private final SidecarSettings settings;
    private final AppSigns signs;
    private final KnownElection known;
    private final Consumer<ElectionView> changes;
    private final Supplier<CompletableFuture<Void>> written;
    private final ScheduledThreadPoolExecutor thread;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private CampaignDecision decision = CampaignDecision.BEGIN;
    private volatile boolean campaigns = true;
    private Leaving leaving;
    private AppSign app = AppSign.UNKNOWN;
    private volatile StartGate gate = StartGate.startedAt(System.nanoTime());
    private volatile Tally tally = Tally.startedAt(System.nanoTime());
    private volatile @Nullable Opened opened;

    /** The election, after its store has been opened. */
    record Opened(Election election, LeaseCandidate candidate, MeteredStore store) {}

    /**
     * Creates the driver. Neither callback may block.
     *
     * @param changes receives each change of the reported leader
     * @param written completes when all earlier changes have been written to the streams
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
     * @param factory creates the thread that closes the election
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
        this.leaving = Leaving.begin(settings.release(), settings.grace());
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            var own = new Thread(task, "doyen-sidecar");
            own.setDaemon(true);
            return own;
        });
        // Start the thread now and keep it, because the system may refuse a thread later.
        thread.prestartAllCoreThreads();
    }

    /** Campaigns over an open store, which {@link #close} closes. */
    void open(LeaseStore store, Optional<HealthCheck> health) {
        var metered = metered(store);
        var used = settings.mode() == Mode.NON_EXPIRING
                ? new PatientTakeover(metered, settings.ttl(), System::nanoTime)
                : metered;
        var lease = Election.lease(settings.election()).store(used).ttl(settings.ttl());
        health.ifPresent(lease::health);
        join(lease.open(), metered);
    }

    /**
     * Campaigns over a store that offers only non-expiring leases.
     *
     * <p>It ignores the health check, because no other candidate could replace an unhealthy leader.
     */
    void openNonExpiring(NonExpiringLeases leases, boolean healthAsked) {
        var sentence =
                leases.why() + (healthAsked ? "; the health check has no effect, for nobody could take over" : "");
        LOG.log(Level.WARNING, "election=" + settings.election() + " " + sentence);
        put(() -> known.nonExpiring(sentence));
        var metered = metered(leases.store());
        join(
                Election.lease(settings.election())
                        .store(metered)
                        .ttl(settings.ttl())
                        .open(),
                metered);
    }

    private MeteredStore metered(LeaseStore store) {
        return new MeteredStore(
                store, nanos -> put(() -> tally = tally.wrote(nanos)), () -> put(() -> tally = tally.failed()));
    }

    private void join(Election election, MeteredStore metered) {
        put(() -> {
            if (!leaving.phase().equals(Leaving.Phase.SERVING)) {
                election.close();
                return;
            }
            LeaseCandidate candidate;
            try {
                candidate = election.join(settings.id());
            } catch (Throwable e) {
                faults.report("election=" + settings.election() + " the start as a candidate", e);
                ScheduledFuture<?> unused =
                        thread.schedule(() -> join(election, metered), RETRY_MILLIS, TimeUnit.MILLISECONDS);
                return;
            }
            opened = new Opened(election, candidate, metered);
            known.open(candidate, metered);
            candidate.listen(this);
            if (signs.seesProcesses()) {
                again(this::lookAtApp, LOOK_MILLIS);
            }
        });
    }

    /** Repeats a check, even after a fault; a scheduler does not repeat a task after an exception. */
    private void again(Runnable look, long everyMillis) {
        thread.scheduleWithFixedDelay(() -> survives("a look at the app", look), 0, everyMillis, TimeUnit.MILLISECONDS);
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
        return gate.isOpenAt(System.nanoTime());
    }

    Tally tally() {
        return tally.at(System.nanoTime());
    }

    /** Sets until when the app wants the candidate to campaign. Returns after the candidate has received it. */
    void campaign(UnaryOperator<CampaignDecision> said) {
        putAndWait(() -> {
            decision = said.apply(decision);
            applyDecision();
            decision.campaignUntil()
                    .ifPresent(until -> thread.schedule(
                            this::applyDecision, Math.max(0, until - System.nanoTime()) + 1, TimeUnit.NANOSECONDS));
        });
    }

    /** Whether the candidate has been told to campaign. Threads: any. */
    boolean campaigns() {
        return campaigns;
    }

    /** The app reports that it has stopped leading; returns whether the shutdown was waiting for that. */
    boolean appStopped() {
        var waited = new CompletableFuture<Boolean>();
        put(() -> {
            waited.complete(leaving.phase() == Leaving.Phase.HOLDING);
            carry(leaving.appStopped());
        });
        return waited.completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Starts the shutdown, which completes {@link #ended}. A second call ends the wait for the app. */
    void leave() {
        put(() -> carry(leaving.told(System.nanoTime(), leads(), signs.look())));
    }

    /**
     * Completes when the shutdown has released the lease or leaves it to expire.
     *
     * <p>After that, no answers are necessary.
     */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Ends the machines' thread and closes the store without releasing the lease. */
    void close() {
        thread.shutdownNow();
        opened().ifPresent(now -> now.store().close());
    }

    VersionedLease read() {
        return opened().orElseThrow().store().read(settings.election());
    }

    Control control() {
        return opened().orElseThrow().election().control("elector " + settings.id());
    }

    boolean leads() {
        return known.view()
                .flatMap(ElectionView::leader)
                .filter(leader -> leader.id().equals(settings.id()))
                .isPresent();
    }

    @Override
    public void elected(LeaseLeadership leadership) {
        put(() -> {
            tally = tally.elected();
            report(known.reported().elected(leadership.term()));
        });
    }

    @Override
    public void lost(LossCause cause) {
        putAndWait(() -> {
            tally = tally.lost(cause);
            report(known.reported().lost(cause));
            carry(leaving.appStopped());
        });
        await(written.get());
    }

    @Override
    public void leaderChanged(Optional<Leader> leader) {
        put(() -> report(known.reported().seen(leader)));
    }

    private void report(Reported next) {
        if (known.report(next)) {
            long now = System.nanoTime();
            var leader = next.told(true);
            tally = tally.named(leader.isPresent(), now);
            gate = gate.seen(leader.isPresent());
        }
        known.view().ifPresent(view -> survives("the news of who leads", () -> changes.accept(view)));
    }

    private void lookAtApp() {
        var sign = signs.lookAtProcesses();
        if (sign != app) {
            app = sign;
            LOG.log(
                    Level.INFO,
                    "election=" + settings.election() + " the app " + (sign == AppSign.GONE ? "has ended" : "runs"));
            decision = decision.app(sign == AppSign.GONE);
            applyDecision();
        }
        if (sign == AppSign.GONE) {
            carry(leaving.appStopped());
        }
    }

    private void applyDecision() {
        var now = opened;
        boolean wanted = decision.campaignsAt(System.nanoTime());
        if (now != null && wanted != campaigns && leaving.phase() == Leaving.Phase.SERVING) {
            campaigns = wanted;
            if (wanted) {
                now.candidate().resume();
            } else {
                now.candidate().pause();
            }
        }
    }

    private void carry(Leaving.Step step) {
        leaving = step.next();
        for (var effect : step.effects()) {
            survives("a step of leaving", () -> carryOut(effect));
        }
    }

    private void carryOut(Leaving.Effect effect) {
        switch (effect) {
            case FALL_SILENT -> fallSilent();
            case GIVE_BACK -> giveBack();
            case END -> ended.complete(null);
        }
    }

    private boolean survives(String what, Runnable part) {
        return faults.survives("election=" + settings.election() + " " + what, part);
    }

    private void fallSilent() {
        report(known.reported().silenced());
        if (leaving.phase() == Leaving.Phase.HOLDING) {
            LOG.log(
                    Level.INFO,
                    () -> "election=" + settings.election() + " leaving: the lease is held until the app has stopped");
            again(this::lookWhileLeaving, LOOK_WHILE_LEAVING_MILLIS);
        }
    }

    private void lookWhileLeaving() {
        if (leaving.phase() == Leaving.Phase.HOLDING && signs.look() == AppSign.GONE) {
            carry(leaving.appStopped());
        }
        carry(leaving.passed(System.nanoTime()));
    }

    /**
     * Releases the lease on another thread, because the candidate waits for the machines' thread.
     *
     * <p>An unavailable store delays the exit only briefly.
     */
    private void giveBack() {
        var now = opened;
        var closing = new CompletableFuture<Void>();
        CompletableFuture<?> unused = closing.whenComplete((done, fault) -> {
            put(() -> carry(leaving.released()));
            if (fault != null) {
                LOG.log(Level.WARNING, "the lease could not be given back; others lead when it has run out");
            }
        });
        Runnable late = () -> closing.completeExceptionally(new TimeoutException());
        ScheduledFuture<?> unusedTimeout =
                thread.schedule(late, Leaving.RESERVE.toMillis() * 3 / 4, TimeUnit.MILLISECONDS);
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

    private void put(Runnable input) {
        try {
            thread.execute(() -> {
                try {
                    input.run();
                } catch (Throwable e) {
                    faults.report("election=" + settings.election() + " an input", e);
                }
            });
        } catch (RejectedExecutionException e) {
            // The thread has ended, so the input has no effect.
        }
    }

    private void putAndWait(Runnable input) {
        var taken = new CompletableFuture<Void>();
        put(() -> {
            try {
                input.run();
            } finally {
                taken.complete(null);
            }
        });
        await(taken);
    }

    private void await(CompletableFuture<Void> taken) {
        try {
            taken.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.WARNING, "election=" + settings.election() + " an input was not taken in time", e);
        }
    }
}
