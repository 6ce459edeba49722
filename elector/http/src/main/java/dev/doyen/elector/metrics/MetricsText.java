package dev.doyen.elector.metrics;

import dev.doyen.elector.ElectionView;
import dev.doyen.event.LossCause;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Writes metrics of one election or one program in the Prometheus text format, version 0.0.4.
 *
 * <p>The class uses no client library, because such a library would contain more classes than the sidecar.
 */
public final class MetricsText {

    private final StringBuilder text = new StringBuilder();
    private final String election;
    /** The label of every value; empty if there is none. */
    private final String common;

    /** Creates a text whose values have the label {@code election}. */
    public MetricsText(String election) {
        this.election = escaped(election);
        this.common = "election=\"" + this.election + "\"";
    }

    /** Creates a text for the metrics of a whole program, without the label {@code election}. */
    public MetricsText() {
        this.election = "";
        this.common = "";
    }

    /**
     * Writes the HELP and TYPE lines of a metric. The caller calls this method once, before the values of the metric.
     */
    public void describe(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    /** Writes a metric that has one value. */
    public void single(String name, String type, String help, Object value) {
        describe(name, type, help);
        value(name, "", value);
    }

    /**
     * Writes one value of a metric.
     *
     * @param more the text of further labels, such as {@code kind="heartbeat"}; may be empty
     */
    public void value(String name, String more, Object value) {
        String labels = common + (common.isEmpty() || more.isEmpty() ? "" : ",") + more;
        text.append(name).append(labels.isEmpty() ? "" : "{" + labels + "}");
        text.append(' ').append(value).append('\n');
    }

    /**
     * Writes one histogram of a metric. The caller has called {@link #describe} before.
     *
     * @param more the text of further labels, as for {@link #value}
     */
    public void histogram(String name, String more, Tally.Latencies latencies) {
        String labels = more.isEmpty() ? "" : more + ",";
        var within = latencies.within();
        for (int at = 0; at < within.size(); at++) {
            value(name + "_bucket", labels + "le=\"" + Tally.Latencies.BOUNDS_SECONDS.get(at) + "\"", within.get(at));
        }
        value(name + "_bucket", labels + "le=\"+Inf\"", latencies.count());
        value(name + "_sum", more, latencies.sumNanos() / 1e9);
        value(name + "_count", more, latencies.count());
    }

    /**
     * Writes the metrics of this process's own candidate.
     *
     * <p>The metrics show whether the candidate leads, how often it acquired the leadership, and how often it lost the
     * leadership for each cause.
     */
    public void candidate(String id, Optional<ElectionView> view, long won, Map<LossCause, Long> lost) {
        boolean leads = view.flatMap(ElectionView::leader)
                .filter(leader -> leader.id().equals(id))
                .isPresent();
        describe("leader_election_master_status", "gauge", "1 while this candidate leads, else 0");
        text.append("leader_election_master_status{name=\"")
                .append(election)
                .append("\"} ")
                .append(leads ? 1 : 0)
                .append('\n');
        single("elector_elections_won", "counter", "terms that this candidate started", won);
        describe("elector_elections_lost", "counter", "terms of this candidate that ended, by cause");
        lost.forEach((cause, count) ->
                value("elector_elections_lost", "cause=\"" + cause.name().toLowerCase(Locale.ROOT) + "\"", count));
    }

    /** Writes the current term, the changes of leader and the time without a leader. */
    public void leaders(Optional<ElectionView> view, long transitions, long leaderlessNanos) {
        single(
                "doyen_term",
                "gauge",
                "the highest known term",
                view.map(ElectionView::lastTerm).orElse(0L));
        single("doyen_transitions_total", "counter", "changes of the leader, including to no leader", transitions);
        single("doyen_leaderless_seconds_total", "counter", "time in which no leader was known", leaderlessNanos / 1e9);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
