package dev.doyen.elector.metrics;

import dev.doyen.elector.ElectionView;
import dev.doyen.event.LossCause;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Writes metrics of one election or one program in the Prometheus text format, version 0.0.4.
 *
 * <p>The class uses no client library, because such a library would contain more classes than the sidecar.
 */
public final class MetricsText implements MetricsWriter {

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

    /** Writes the HELP and TYPE lines of a metric. */
    @Override
    public void describe(String name, Type type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ');
        text.append(type.name().toLowerCase(Locale.ROOT)).append('\n');
    }

    @Override
    public void value(String name, Number value, Label... labels) {
        var all = new StringJoiner(",", "{", "}").setEmptyValue("");
        if (!common.isEmpty()) {
            all.add(common);
        }
        for (var label : labels) {
            all.add(label.name() + "=\"" + escaped(label.value()) + '"');
        }
        text.append(name).append(all).append(' ').append(value).append('\n');
    }

    @Override
    public void histogram(String name, Tally.Latencies latencies, Label... labels) {
        var more = Arrays.copyOf(labels, labels.length + 1);
        var within = latencies.within();
        for (int at = 0; at < within.size(); at++) {
            more[labels.length] =
                    new Label("le", Tally.Latencies.BOUNDS_SECONDS.get(at).toString());
            value(name + "_bucket", within.get(at), more);
        }
        more[labels.length] = new Label("le", "+Inf");
        value(name + "_bucket", latencies.count(), more);
        value(name + "_sum", latencies.sumNanos() / 1e9, labels);
        value(name + "_count", latencies.count(), labels);
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
        describe("leader_election_master_status", Type.GAUGE, "1 while this candidate leads, else 0");
        text.append("leader_election_master_status{name=\"")
                .append(election)
                .append("\"} ")
                .append(leads ? 1 : 0)
                .append('\n');
        single("elector_elections_won", Type.COUNTER, "terms that this candidate started", won);
        describe("elector_elections_lost", Type.COUNTER, "terms of this candidate that ended, by cause");
        lost.forEach((cause, count) -> value(
                "elector_elections_lost", count, new Label("cause", cause.name().toLowerCase(Locale.ROOT))));
    }

    /** Writes the current term, the changes of leader and the time without a leader. */
    public void leaders(Optional<ElectionView> view, long transitions, long leaderlessNanos) {
        single(
                "doyen_term",
                Type.GAUGE,
                "the highest known term",
                view.map(ElectionView::lastTerm).orElse(0L));
        single("doyen_transitions_total", Type.COUNTER, "changes of the leader, including to no leader", transitions);
        single(
                "doyen_leaderless_seconds_total",
                Type.COUNTER,
                "time in which no leader was known",
                leaderlessNanos / 1e9);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
