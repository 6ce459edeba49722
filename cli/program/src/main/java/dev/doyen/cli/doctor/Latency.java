package dev.doyen.cli.doctor;

import java.time.Duration;
import java.util.List;

/** The median and the longest duration of several store calls. */
public record Latency(Duration median, Duration worst) {

    /** Computes the latency from the durations of at least one call. */
    public static Latency of(List<Duration> spans) {
        if (spans.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured; a latency needs at least one call");
        }
        var sorted = spans.stream().sorted().toList();
        return new Latency(sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1));
    }

    static Latency slower(Latency one, Latency other) {
        return new Latency(later(one.median, other.median), later(one.worst, other.worst));
    }

    private static Duration later(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
