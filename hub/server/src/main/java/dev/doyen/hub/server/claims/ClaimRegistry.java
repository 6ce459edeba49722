package dev.doyen.hub.server.claims;

import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.driver.LoopContext;
import dev.doyen.driver.QueueingStoreExecutor;
import dev.doyen.driver.SystemThreads;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Threads;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.elector.metered.MeteredStore;
import dev.doyen.elector.metrics.ElectionMetrics;
import dev.doyen.elector.metrics.StoreTally;
import dev.doyen.elector.metrics.Tally;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import dev.doyen.log.FaultLog;
import dev.doyen.metrics.StoreCall;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Implements a hub's claims as lease elections, with one {@link SlotElection} per slot of a channel.
 *
 * <p>The registry also provides these elections to the elector API. It observes each election from the first claim
 * until the election has been vacant for {@value #VACANT_SECONDS} s. If an earlier run of the hub left a lease, the
 * registry therefore waits for the expiry of that lease only once, and not for each claim. The registry always observes
 * the elections in {@link ClaimSettings#watched}.
 *
 * <p>The registry stores up to {@value #MAX_ELECTIONS} elections. Beyond that limit, it ends the election that has been
 * vacant for the longest time. If no election is vacant, the registry rejects the claim.
 *
 * <p>Every {@value #PRUNE_MINUTES} minutes the registry deletes old lease records without a holder, pause or pending
 * admin command. A record without saved state counts as old {@value #PRUNE_MINUTES} minutes after its last write. A
 * record with saved state counts as old after {@link ClaimSettings#savedStateAge}.
 *
 * <p>The class is long, because claims, elections and metrics use the same slots.
 */
public final class ClaimRegistry implements Claims, Elections {

    static final int MAX_ELECTIONS = 10_000;

    /** The time after which the registry ends a vacant election. */
    static final int VACANT_SECONDS = 60;

    private static final Duration VACANT = Duration.ofSeconds(VACANT_SECONDS);
    private static final Duration VACANCY_CHECK = Duration.ofSeconds(10);

    private static final int PRUNE_MINUTES = 10;
    private static final Duration PRUNE = Duration.ofMinutes(PRUNE_MINUTES);

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final FaultLog faults = new FaultLog(LOG);
    private final LeaseStore store;
    private volatile StoreTally storeTally = StoreTally.NONE;
    private final ClaimSettings settings;
    private final LeaseTiming timing;
    private final Threads threads;
    private final QueueingStoreExecutor storeExecutor;
    private final LoopContext context;
    private final StoreDisk disk;
    private final Map<String, SlotElection> slotElections = new ConcurrentHashMap<>();

    private @Nullable ClaimOutcomes outcomes;
    private Consumer<ElectionView> changes = view -> {};

    /**
     * Creates the claims of one hub.
     *
     * @param store the store of the leases; this object closes the store
     */
    public ClaimRegistry(LeaseStore store, ClaimSettings settings, LongSupplier seeds) {
        this(store, settings, seeds, new StoreDisk(null), new SystemThreads("doyen-claims"));
    }

    /** Opens the store and creates the claims, as {@link ClaimsOpener#open} specifies. */
    public static ClaimRegistry open(String store, ClaimSettings settings) throws IOException {
        try {
            LeaseStore opened = LeaseStore.open(store);
            opened.missingRights().forEach(right -> LOG.log(Level.WARNING, "the claims of this hub: " + right));
            return new ClaimRegistry(
                    opened,
                    settings,
                    () -> ThreadLocalRandom.current().nextLong(),
                    StoreDisk.of(store),
                    new SystemThreads("doyen-claims"));
        } catch (StoreUnavailableException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    ClaimRegistry(LeaseStore store, ClaimSettings settings, LongSupplier seeds, Threads threads) {
        this(store, settings, seeds, new StoreDisk(null), threads);
    }

    private ClaimRegistry(
            LeaseStore opened, ClaimSettings settings, LongSupplier seeds, StoreDisk disk, Threads threads) {
        this.store = new MeteredStore(opened, this::count);
        this.settings = settings;
        this.timing = LeaseTiming.ofTtl(settings.leaseTtl());
        this.disk = disk;
        this.threads = threads;
        this.storeExecutor = new QueueingStoreExecutor(threads, store, timing.requestTimeout());
        this.context = LoopContext.queueing(storeExecutor, timing, seeds);
    }

    @Override
    public void start(ClaimOutcomes results, Consumer<ElectionView> onChange) {
        threads.loop(() -> {
            outcomes = results;
            changes = onChange;
            settings.watched().forEach(this::slotElection);
            endVacantLater();
            pruneLater();
        });
    }

    @Override
    public void claim(Claimant claimant) {
        threads.loop(() -> {
            if (!faults.survives("a claim", () -> claimNow(claimant))) {
                // The hub submits no other claim before it receives an outcome, so always report an outcome.
                faults.survives("the release of a failed claim", () -> releaseNow(claimant));
                results().refused(claimant, Optional.empty());
            }
        });
    }

    private void claimNow(Claimant claimant) {
        SlotElection slotElection = slotElection(claimant.election());
        if (slotElection == null) {
            context.log().log(
                    Level.WARNING,
                    claimant.election(),
                    "refused: all " + MAX_ELECTIONS + " elections of this hub have leaders");
            results().refused(claimant, Optional.empty());
        } else {
            slotElection.claim(claimant);
        }
    }

    @Override
    public void release(Claimant claimant) {
        threads.loop(() -> releaseNow(claimant));
    }

    private void releaseNow(Claimant claimant) {
        SlotElection slotElection = slotElections.get(claimant.election());
        if (slotElection != null) {
            slotElection.release(claimant);
        }
    }

    @Override
    public void abandon(Claimant claimant) {
        threads.loop(() -> {
            SlotElection slotElection = slotElections.get(claimant.election());
            if (slotElection != null && slotElection.isHeldBy(claimant)) {
                // After this removal, close() does not release the lease of the election. It only ends the renewal, so
                // the lease expires.
                slotElections.remove(claimant.election());
            }
        });
    }

    @Override
    public void abandonAll() {
        threads.loop(slotElections::clear);
    }

    @Override
    public void save(Claimant claimant, long term, long number, SavedState state) {
        threads.loop(() -> {
            SlotElection slotElection = slotElections.get(claimant.election());
            if (slotElection != null) {
                slotElection.save(claimant, term, number, state);
            }
        });
    }

    @Override
    public SavedState left(String election) {
        return store.read(election).record().map(LeaseRecord::state).orElse(SavedState.EMPTY);
    }

    @Override
    public <T> T execute(String election, String by, Function<Control, T> action) {
        // The hub also accepts admin commands during its shutdown.
        var prepared = Election.lease(election).store(store).timing(timing).closeOnShutdown(false);
        try (var opened = prepared.open()) {
            return action.apply(opened.control(by));
        }
    }

    @Override
    public Optional<String> paused(String election) {
        return Optional.ofNullable(slotElections.get(election)).flatMap(SlotElection::paused);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The registry reads the leases of the watched elections at least twice per ttl. So a store that has not
     * answered for a whole ttl has failed.
     */
    @Override
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        disk.fault().ifPresent(faults::add);
        Moment now = threads.now();
        settings.watched().stream()
                .flatMap(election -> Optional.ofNullable(slotElections.get(election)).stream())
                .flatMap(slotElection -> slotElection.lastAnswer().stream())
                .mapToLong(now::nanosSince)
                .filter(nanos -> nanos > timing.ttl().toNanos())
                .max()
                .ifPresent(nanos -> faults.add("the store has not answered for " + TimeUnit.NANOSECONDS.toMillis(nanos)
                        + " ms; check the store and the way to it"));
        return faults;
    }

    @Override
    public ClaimCounts counts() {
        return new ClaimCounts(
                (int) slotElections.values().stream()
                        .filter(SlotElection::isHeld)
                        .count(),
                storeExecutor.waiting(),
                settings.watched().stream().map(this::metrics).toList(),
                storeTally);
    }

    private ElectionMetrics metrics(String election) {
        long now = threads.now().nanos();
        SlotElection watched = slotElections.get(election);
        return watched != null ? watched.metrics(now) : new ElectionMetrics(election, false, 0, Tally.startedAt(now));
    }

    @Override
    public Elections elections() {
        return this;
    }

    @Override
    public Optional<ElectionView> find(String name) {
        return Optional.ofNullable(slotElections.get(name)).flatMap(SlotElection::view);
    }

    @Override
    public List<ElectionView> list() {
        return slotElections.values().stream()
                .flatMap(slotElection -> slotElection.view().stream())
                .sorted(Comparator.comparing(ElectionView::name))
                .toList();
    }

    /**
     * Releases all leases that are not abandoned, and ends the elections. The method waits at most one request timeout
     * for these releases.
     */
    @Override
    public void close() {
        var done = new CountDownLatch(1);
        boolean accepted = threads.loop(() -> {
            outcomes = null;
            changes = view -> {};
            var left = new CountDown(slotElections.size(), done::countDown);
            slotElections.values().forEach(slotElection -> slotElection.leave(left::one));
        });
        try {
            if (accepted
                    && !done.await(timing.requestTimeout().toMillis(), TimeUnit.MILLISECONDS)
                    && !slotElections.isEmpty()) {
                LOG.log(Level.WARNING, "some claims could not be released in time; their leases expire");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.close();
        storeExecutor.close();
        store.close();
    }

    /**
     * Returns the {@link SlotElection} of an election, and opens it if necessary. The result is null if the limit is
     * reached and no election can end.
     *
     * <p>Only the loop thread may call this method.
     */
    private @Nullable SlotElection slotElection(String election) {
        SlotElection known = slotElections.get(election);
        if (known != null) {
            return known;
        }
        if (slotElections.size() >= MAX_ELECTIONS && !endLongestVacant()) {
            return null;
        }
        var slotElection = new SlotElection(election, context, this::results, this::changed);
        slotElections.put(election, slotElection);
        slotElection.open();
        return slotElection;
    }

    private boolean endLongestVacant() {
        Optional<SlotElection> longest =
                endable().filter(SlotElection::isVacant).max(Comparator.comparing(SlotElection::vacantFor));
        longest.ifPresent(this::end);
        return longest.isPresent();
    }

    private void endVacantLater() {
        threads.at(threads.now().nanos() + VACANCY_CHECK.toNanos(), () -> {
            faults.survives("the end of vacant elections", this::endVacant);
            endVacantLater();
        });
    }

    private void endVacant() {
        endable().filter(each -> each.vacantFor().compareTo(VACANT) >= 0).forEach(this::end);
    }

    /** Returns the elections that may end when they are vacant. */
    private Stream<SlotElection> endable() {
        return slotElections.values().stream()
                .filter(each -> !settings.watched().contains(each.election()));
    }

    private void end(SlotElection slotElection) {
        slotElections.remove(slotElection.election());
        slotElection.leave(() -> {});
    }

    private void pruneLater() {
        threads.at(
                threads.now().nanos() + PRUNE.toNanos(),
                () -> storeExecutor.runWhenIdle(() -> {
                    faults.survives("the deletion of old lease records", this::prune);
                    threads.loop(this::pruneLater);
                }));
    }

    private void prune() {
        Instant now = Instant.ofEpochMilli(threads.now().wallMillis());
        int deleted = store.prune(now.minus(PRUNE), now.minus(settings.savedStateAge()));
        if (deleted > 0) {
            context.log().log(Level.INFO, "", deleted + " lease records that nobody needs were deleted");
        }
    }

    private synchronized void count(StoreCall call) {
        storeTally = storeTally.with(call);
    }

    /** Returns the receiver of results. After {@link #close} the receiver ignores all results. */
    private ClaimOutcomes results() {
        ClaimOutcomes present = outcomes;
        return present == null ? ClaimOutcomes.NOBODY : present;
    }

    private void changed(ElectionView view) {
        changes.accept(view);
    }

    /** Runs an action after a number of tasks have reported their end. Only the loop thread may use an instance. */
    private static final class CountDown {
        private final Runnable atZero;
        private int left;

        CountDown(int left, Runnable atZero) {
            this.left = left;
            this.atZero = atZero;
            if (left == 0) {
                atZero.run();
            }
        }

        void one() {
            if (--left == 0) {
                atZero.run();
            }
        }
    }
}
