package dev.doyen.elector.metrics;

import dev.doyen.metrics.Metric;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The values of the metrics of one election, as this process sees the election.
 *
 * @param leads true if a candidate of this process leads
 * @param term the highest known term
 * @param tally the counters, up to the time of the scrape
 */
public record ElectionMetrics(String election, boolean leads, long term, Tally tally) {

    /** Writes the metrics of these elections. */
    public static void write(MetricsWriter out, List<ElectionMetrics> all) {
        values(out, Metric.IS_LEADER, all, each -> each.leads ? 1 : 0);
        values(out, Metric.TERM, all, ElectionMetrics::term);
        out.describe(Metric.TRANSITIONS);
        for (var each : all) {
            out.value(Metric.TRANSITIONS, each.tally.elected(), each.election, Metric.ELECTED);
            each.tally
                    .lost()
                    .forEach((cause, count) ->
                            out.value(Metric.TRANSITIONS, count, each.election, Metric.reason(cause)));
            // A candidate does not count the leaderships of others. The series exists, as it does in Micrometer.
            out.value(Metric.TRANSITIONS, 0, each.election, Metric.OBSERVED);
        }
        values(out, Metric.JEOPARDY, all, each -> each.tally.jeopardies());
        out.describe(Metric.LEADERLESS);
        all.forEach(each -> out.value(Metric.LEADERLESS, each.tally.leaderlessNanos() / 1e9, each.election));
        values(out, Metric.TASKS_OVERRUN, all, each -> each.tally.overrun());
        values(out, Metric.OVERLAPS, all, each -> each.tally.overlaps());
    }

    /** Writes the time that this process's own candidate still leads; zero if it does not lead. */
    public static void writeRemaining(MetricsWriter out, String election, Duration remaining) {
        out.describe(Metric.LEASE_REMAINING);
        out.value(Metric.LEASE_REMAINING, remaining.toNanos() / 1e9, election);
    }

    private static void values(
            MetricsWriter out, Metric metric, List<ElectionMetrics> all, ToLongFunction<ElectionMetrics> value) {
        out.describe(metric);
        all.forEach(each -> out.value(metric, value.applyAsLong(each), each.election));
    }
}
