package dev.doyen.server.sidecar.driver;

import dev.doyen.Candidate;
import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.ElectionListener;
import dev.doyen.HealthCheck;
import dev.doyen.Leadership;
import dev.doyen.elector.ElectionView;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.server.sidecar.AppSign;
import dev.doyen.server.sidecar.Leaving;
import dev.doyen.server.sidecar.Mode;
import dev.doyen.server.sidecar.Reported;
import dev.doyen.server.sidecar.SidecarSettings;
import dev.doyen.server.sidecar.Standing;
import dev.doyen.server.sidecar.StartGate;
import dev.doyen.server.sidecar.Tally;
import dev.doyen.store.FaultLog;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeasesForLife;
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
 * The own candidate, and the machines that say what to do with it.
 *
 * <p>Threads: the machines belong to one thread, on which every input is taken in its turn; callers only put them there.
 * The candidate's callback for a loss waits until the loss is written to whoever follows, for the lease is given back when it
 * returns.
 *
 * <p>Longer than most: all inputs of the one thread, and what becomes of each, are read in one place.
 */
final class Seat implements ElectionListener {

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

    private Standing standing = Standing.BEGIN;
    private boolean stands = true;
    private Leaving leaving;
    private AppSign app = AppSign.UNKNOWN;
    private volatile StartGate gate = StartGate.startedAt(System.nanoTime());
    private volatile Tally tally = Tally.startedAt(System.nanoTime());
    private volatile @Nullable Opened opened;

    /** The election, once its store could be opened. */
    record Opened(Election election, Candidate candidate, MeteredStore store) {}

    /**
     * Neither of the two may wait.
     *
     * @param changes told of each change of what is named
     * @param written when those told so far have been passed on
     */
    Seat(
            SidecarSettings settings,
            AppSigns signs,
            Consumer<ElectionView> changes,
            Supplier<CompletableFuture<Void>> written) {
        this(settings, signs, changes, written, Thread::new);
    }

    /** @param factory makes the thread that closes the election */
    Seat(
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
        // Now, and kept: later the process may be unable to start one.
        thread.prestartAllCoreThreads();
    }

    /** Stands, over a store that is open; it is closed with this. */
    void open(LeaseStore store, Optional<HealthCheck> health) {
        var metered = metered(store);
        var used =
                settings.mode() == Mode.LIFE ? new PatientTakeover(metered, settings.ttl(), System::nanoTime) : metered;
        var lease = Election.lease(settings.election()).store(used).ttl(settings.ttl());
        health.ifPresent(lease::health);
        join(lease.open(), metered);
    }

    /**
     * The same, over a store that gives leases for life only, and says so. Health is not asked for: a leader that is not well
     * could not be replaced.
     */
    void openForLife(LeasesForLife leases, boolean healthAsked) {
        var sentence =
                leases.why() + (healthAsked ? "; the health check has no effect, for nobody could take over" : "");
        LOG.log(Level.WARNING, "election=" + settings.election() + " " + sentence);
        put(() -> known.forLife(sentence));
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
            Candidate candidate;
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

    /** Repeats a look. A scheduler never repeats a task that has thrown. */
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

    /** Until when the app wants the candidate to stand. Returns when that is seen to. */
    void stand(UnaryOperator<Standing> said) {
        putAndWait(() -> {
            standing = said.apply(standing);
            seeToStanding();
            standing.standUntil()
                    .ifPresent(until -> thread.schedule(
                            this::seeToStanding, Math.max(0, until - System.nanoTime()) + 1, TimeUnit.NANOSECONDS));
        });
    }

    /** The app says that it leads no more, while this sidecar waits for that; returns whether it does. */
    boolean appStopped() {
        var waited = new CompletableFuture<Boolean>();
        put(() -> {
            waited.complete(leaving.phase() == Leaving.Phase.HOLDING);
            carry(leaving.appStopped());
        });
        return waited.completeOnTimeout(false, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Begins to leave; {@link #ended} says when that is done. A second call hurries. */
    void leave() {
        put(() -> carry(leaving.told(System.nanoTime(), leads(), signs.look())));
    }

    /** Completes when the lease is given back, as far as it is to be, and nothing more needs to be answered. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Ends the machines' thread, and closes the store; gives nothing back. */
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
    public void elected(Leadership leadership) {
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
            standing = standing.app(sign == AppSign.GONE);
            seeToStanding();
        }
        if (sign == AppSign.GONE) {
            carry(leaving.appStopped());
        }
    }

    private void seeToStanding() {
        var now = opened;
        boolean wanted = standing.standsAt(System.nanoTime());
        if (now != null && wanted != stands && leaving.phase() == Leaving.Phase.SERVING) {
            stands = wanted;
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

    /** Not on the machines' thread, which the candidate waits for. A store that is away must not keep this program. */
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
            // Over: nobody is told any more.
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
