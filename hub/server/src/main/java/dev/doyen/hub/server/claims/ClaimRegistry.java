package dev.doyen.hub.server.claims;

import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.driver.SystemThreads;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Threads;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Elections;
import dev.doyen.event.SavedState;
import dev.doyen.hub.step.Claimant;
import dev.doyen.log.FaultLog;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseStores;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
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
import org.jspecify.annotations.Nullable;

/**
 * Implements a hub's claims as lease elections, one {@link SlotElection} per slot of a channel.
 *
 * <p>It also exposes these elections to the elector API. It observes an election from its first claim on. So a later
 * claimant does not wait anew for a lease that an earlier run of the hub has left behind.
 *
 * <p>Limits: {@value #MAX_ELECTIONS} elections that ever had a claim. Beyond that, the vacant election that changed longest
 * ago is forgotten. If none is vacant, the claim is rejected.
 */
public final class ClaimRegistry implements Claims, Elections {

    static final int MAX_ELECTIONS = 10_000;

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final FaultLog faults = new FaultLog(LOG);
    private final LeaseStore store;
    private final LeaseTiming timing;
    private final Threads threads;
    private final LongSupplier seeds;
    private final List<String> watched;
    private final Map<String, SlotElection> slotElections = new ConcurrentHashMap<>();

    private @Nullable ClaimOutcomes outcomes;
    private Consumer<ElectionView> changes = view -> {};

    /**
     * Creates the claims of one hub.
     *
     * @param store the store of the leases; closed with this object
     * @param watched elections to observe from the start, even without a claim
     */
    public ClaimRegistry(LeaseStore store, LeaseTiming timing, LongSupplier seeds, List<String> watched) {
        this(store, timing, seeds, watched, new SystemThreads("doyen-claims"));
    }

    /** Implements {@link ClaimsOpener}. */
    public static ClaimRegistry open(String store, String defaultElection, Duration claimTtl) throws IOException {
        try {
            LongSupplier seeds = () -> ThreadLocalRandom.current().nextLong();
            return new ClaimRegistry(
                    LeaseStores.open(store), LeaseTiming.ofTtl(claimTtl), seeds, List.of(defaultElection));
        } catch (StoreUnavailableException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    ClaimRegistry(LeaseStore store, LeaseTiming timing, LongSupplier seeds, List<String> watched, Threads threads) {
        this.store = store;
        this.timing = timing;
        this.seeds = seeds;
        this.watched = List.copyOf(watched);
        this.threads = threads;
    }

    @Override
    public void start(ClaimOutcomes results, Consumer<ElectionView> onChange) {
        threads.loop(() -> {
            outcomes = results;
            changes = onChange;
            watched.forEach(this::slotElection);
        });
    }

    @Override
    public void claim(Claimant claimant) {
        threads.loop(() -> {
            if (!faults.survives("a claim", () -> claimNow(claimant))) {
                // The hub waits for an answer and submits no other claim before it.
                faults.survives("the release of a failed claim", () -> releaseNow(claimant));
                results().refused(claimant, Optional.empty());
            }
        });
    }

    private void claimNow(Claimant claimant) {
        SlotElection slotElection = slotElection(claimant.election());
        if (slotElection == null) {
            LOG.log(
                    Level.WARNING,
                    "election=" + claimant.election() + " refused: all " + MAX_ELECTIONS
                            + " elections of this hub have leaders");
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
                // The lease then expires, because it is not renewed after the threads have ended.
                slotElections.remove(claimant.election());
            }
        });
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
    public <T> T ask(String election, String by, Function<Control, T> question) {
        try (var opened = Election.lease(election).store(store).timing(timing).open()) {
            return question.apply(opened.control(by));
        }
    }

    @Override
    public Optional<String> paused(String election) {
        return Optional.ofNullable(slotElections.get(election)).flatMap(SlotElection::paused);
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

    /** Releases all leases and ends; waits for the store for at most one request timeout. */
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
            if (accepted && !done.await(timing.requestTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.WARNING, "not every claim could be given back in time; the rest runs out by itself");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.close();
        store.close();
    }

    /**
     * Returns the {@link SlotElection} of an election, and opens it if necessary; null if the limit is reached.
     *
     * <p>Threads: the loop thread.
     */
    private @Nullable SlotElection slotElection(String election) {
        SlotElection known = slotElections.get(election);
        if (known != null) {
            return known;
        }
        if (slotElections.size() >= MAX_ELECTIONS && !forgetOneVacant()) {
            return null;
        }
        var slotElection =
                new SlotElection(election, threads, store, timing, seeds.getAsLong(), this::results, this::changed);
        slotElections.put(election, slotElection);
        slotElection.open();
        return slotElection;
    }

    private boolean forgetOneVacant() {
        Optional<SlotElection> oldest = slotElections.values().stream()
                .filter(SlotElection::isVacant)
                .min(Comparator.comparing(SlotElection::since));
        oldest.ifPresent(slotElection -> {
            slotElections.remove(slotElection.election());
            slotElection.leave(() -> {});
        });
        return oldest.isPresent();
    }

    /** The receiver of results; a no-op after close. */
    private ClaimOutcomes results() {
        ClaimOutcomes present = outcomes;
        return present == null ? ClaimOutcomes.NOBODY : present;
    }

    private void changed(ElectionView view) {
        changes.accept(view);
    }

    /** Runs an action after a number of tasks have reported their end; on one thread. */
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
