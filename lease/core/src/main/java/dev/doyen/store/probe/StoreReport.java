package dev.doyen.store.probe;

import dev.doyen.store.StorePromises;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The result of a probe of a store.
 *
 * @param faults sentences, one for each requirement that the store breaks; empty if it conforms
 * @param promises what the store itself guarantees
 * @param read durations of reads
 * @param write durations of writes without competing writes
 */
public record StoreReport(List<String> faults, StorePromises promises, Latency read, Latency write) {

    public StoreReport {
        faults = List.copyOf(faults);
    }

    /**
     * Returns true if the probe has found no fault.
     *
     * <p>Some faults show only under load. So true is evidence and not a proof.
     */
    public boolean conforms() {
        return faults.isEmpty();
    }

    /** The median and the maximum of the measured durations; zero if there were none. */
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
