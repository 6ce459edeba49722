package dev.doyen.stores.kubernetes;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Whether a Lease for life that is not there any more has ended with its holder's Pod, as it should, or was deleted under a
 * holder that lives, and will make it again as soon as it sees that. The latter is waited for, but not for ever.
 *
 * <p>Threads: any.
 */
final class VanishedLives {

    /** Much longer than an elector takes to notice a deletion. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HolderPods pods;
    private final LongSupplier nanoClock;
    private final Map<String, Long> missedSince = new HashMap<>();

    VanishedLives(HolderPods pods, LongSupplier nanoClock) {
        this.pods = pods;
        this.nanoClock = nanoClock;
    }

    /** True if this Lease, as it was last seen, is to be shown as if it still were there. */
    CompletableFuture<Boolean> isMissed(LeaseObject last) {
        if (!last.isForLife() || nanoClock.getAsLong() - since(last.name()) >= PATIENCE.toNanos()) {
            return CompletableFuture.completedFuture(false);
        }
        return pods.ask(last).thenApply(life -> life == HolderLife.STANDS);
    }

    synchronized void forget(String name) {
        missedSince.remove(name);
    }

    private synchronized long since(String name) {
        return Optional.ofNullable(missedSince.putIfAbsent(name, nanoClock.getAsLong()))
                .orElseGet(nanoClock::getAsLong);
    }
}
