package dev.doyen.stores.kubernetes;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Decides whether a deleted non-expiring lease counts as ended (rule K5).
 *
 * <p>The lease has ended if its holder's Pod has ended. If the Lease was deleted while the Pod runs, the process in the
 * Pod creates the Lease again. In this case candidates wait for at most {@link #PATIENCE} after this class has first
 * found the Lease deleted.
 *
 * <p>Threads: any.
 */
final class VanishedLeases {

    /** The maximum time that candidates wait. This time is much longer than an elector needs to detect a deletion. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HolderPods pods;
    private final LongSupplier nanoClock;
    private final Map<String, Long> missedSince = new HashMap<>();

    VanishedLeases(HolderPods pods, LongSupplier nanoClock) {
        this.pods = pods;
        this.nanoClock = nanoClock;
    }

    /**
     * Returns true if the store must still report this deleted Lease. The store then reports the state that was read
     * last.
     */
    CompletableFuture<Boolean> isMissed(LeaseObject last) {
        if (!last.isNonExpiring() || nanoClock.getAsLong() - since(last.name()) >= PATIENCE.toNanos()) {
            return CompletableFuture.completedFuture(false);
        }
        return pods.requestStatus(last).thenApply(status -> status == HolderPodStatus.PRESENT);
    }

    synchronized void forget(String name) {
        missedSince.remove(name);
    }

    private synchronized long since(String name) {
        return Optional.ofNullable(missedSince.putIfAbsent(name, nanoClock.getAsLong()))
                .orElseGet(nanoClock::getAsLong);
    }
}
