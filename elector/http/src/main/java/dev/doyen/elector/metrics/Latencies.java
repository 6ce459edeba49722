package dev.doyen.elector.metrics;

import dev.doyen.metrics.Metric;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A cumulative histogram of durations, as Prometheus defines it. Immutable.
 *
 * @param within for each bound of {@link Metric#BOUNDS_SECONDS}, the number of durations within the bound
 */
public record Latencies(long count, long sumNanos, List<Long> within) {

    public static final Latencies NONE = new Latencies(0, 0, Collections.nCopies(Metric.BOUNDS_SECONDS.size(), 0L));

    public Latencies {
        within = List.copyOf(within);
    }

    /** Returns the histogram with one more duration. */
    public Latencies with(long nanos) {
        var counts = new ArrayList<Long>();
        for (int at = 0; at < within.size(); at++) {
            counts.add(within.get(at) + (nanos <= Metric.BOUNDS_SECONDS.get(at) * 1e9 ? 1 : 0));
        }
        return new Latencies(count + 1, sumNanos + nanos, counts);
    }
}
