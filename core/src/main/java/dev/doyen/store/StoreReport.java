package dev.doyen.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * What a store was seen to do while it was probed.
 *
 * @param faults sentences, one for each thing the store must do and does not; empty if it conforms
 * @param promises what the store says of itself
 * @param read how long reads took
 * @param write how long writes without rivals took
 */
public record StoreReport(List<String> faults, StorePromises promises, Latency read, Latency write) {

    public StoreReport {
        faults = List.copyOf(faults);
    }

    /** True if no fault was found. Some faults show only under load, so that true is evidence and no proof. */
    public boolean conforms() {
        return faults.isEmpty();
    }

    /** The middle and the worst of the durations measured; zero if there were none. */
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
