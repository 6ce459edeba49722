package dev.doyen.store.probe;

import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The result of a probe of a store.
 *
 * @param faults one sentence for each requirement that the store breaks; empty if the store conforms
 * @param promises the guarantees that the store itself states
 * @param read the durations of reads without competing writes
 * @param write the durations of writes without competing writes
 */
public record StoreReport(List<String> faults, LeaseStore.Promises promises, Latency read, Latency write) {

    public StoreReport {
        faults = List.copyOf(faults);
    }

    /**
     * Returns true if the probe has found no fault.
     *
     * <p>Some faults occur only under load. So a result of true does not prove that the store has no fault.
     */
    public boolean conforms() {
        return faults.isEmpty();
    }

    /** The median and the maximum of the measured durations; zero if no duration was measured. */
    public record Latency(Duration median, Duration worst) {
        static Latency of(Collection<Long> nanos) {
            long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
            return sorted.length == 0
                    ? new Latency(Duration.ZERO, Duration.ZERO)
                    : new Latency(
                            Duration.ofNanos(sorted[sorted.length / 2]), Duration.ofNanos(sorted[sorted.length - 1]));
        }
    }
}
