package dev.doyen.stores.kubernetes;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Decides whether a vanished non-expiring lease counts as ended (rule K5).
 *
 * <p>The lease has ended if its holder's Pod has ended. If it was deleted while the Pod runs, its holder will create it
 * again. Then candidates wait for that, for at most {@link #PATIENCE}.
 *
 * <p>Threads: any.
 */
final class VanishedLeases {

    /** Much longer than an elector needs to notice a deletion. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HolderPods pods;
    private final LongSupplier nanoClock;
    private final Map<String, Long> missedSince = new HashMap<>();

    VanishedLeases(HolderPods pods, LongSupplier nanoClock) {
        this.pods = pods;
        this.nanoClock = nanoClock;
    }

    /** Returns whether the store must report this Lease, as last seen, as if it still existed. */
    CompletableFuture<Boolean> isMissed(LeaseObject last) {
        if (!last.isNonExpiring() || nanoClock.getAsLong() - since(last.name()) >= PATIENCE.toNanos()) {
            return CompletableFuture.completedFuture(false);
        }
        return pods.ask(last).thenApply(status -> status == HolderPodStatus.PRESENT);
    }

    synchronized void forget(String name) {
        missedSince.remove(name);
    }

    private synchronized long since(String name) {
        return Optional.ofNullable(missedSince.putIfAbsent(name, nanoClock.getAsLong()))
                .orElseGet(nanoClock::getAsLong);
    }
}
