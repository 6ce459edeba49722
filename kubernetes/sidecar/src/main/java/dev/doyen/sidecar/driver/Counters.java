package dev.doyen.sidecar.driver;

import dev.doyen.elector.metrics.StoreTally;
import dev.doyen.elector.metrics.Tally;
import dev.doyen.metrics.StoreCall;
import java.util.function.UnaryOperator;

/**
 * The counters of the sidecar's candidate and of its store.
 *
 * <p>Threads: the machines' thread changes the counters, and any thread may read them.
 */
final class Counters {

    private volatile Tally tally = Tally.startedAt(System.nanoTime());
    private volatile StoreTally storeTally = StoreTally.NONE;

    void count(UnaryOperator<Tally> change) {
        tally = change.apply(tally);
    }

    void count(StoreCall call) {
        storeTally = storeTally.with(call);
    }

    /** Returns the counters of the candidate, with the time without a leader up to now. */
    Tally tally() {
        return tally.at(System.nanoTime());
    }

    StoreTally storeTally() {
        return storeTally;
    }
}
