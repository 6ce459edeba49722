package dev.doyen.server.sidecar;

import dev.doyen.elector.ElectionView;
import java.util.Locale;
import java.util.Optional;

/**
 * A sidecar's metrics in the text form of Prometheus, version 0.0.4. By hand: there are a dozen, and a client library
 * would bring more classes than the sidecar has.
 */
public final class PrometheusText {

    private final StringBuilder text = new StringBuilder();
    private final String election;
    private final String labels;

    private PrometheusText(String election) {
        this.election = escaped(election);
        labels = "{election=\"" + this.election + "\"";
    }

    /**
     * Everything there is to tell.
     *
     * @param id the own candidate
     * @param view what is known; empty before the store's first answer
     * @param streams how many event streams are open
     */
    public static String of(String election, String id, Optional<ElectionView> view, Tally tally, int streams) {
        return new PrometheusText(election).write(id, view, tally, streams);
    }

    private String write(String id, Optional<ElectionView> view, Tally tally, int streams) {
        boolean leads = view.flatMap(ElectionView::leader)
                .filter(leader -> leader.id().equals(id))
                .isPresent();
        describe("leader_election_master_status", "gauge", "1 while this candidate leads, else 0");
        text.append("leader_election_master_status{name=\"")
                .append(election)
                .append("\"} ")
                .append(leads ? 1 : 0)
                .append('\n');
        simple("elector_elections_won", "counter", "terms that this candidate began", tally.won());
        describe("elector_elections_lost", "counter", "terms of this candidate that ended, by cause");
        tally.lost()
                .forEach((cause, count) -> text.append("elector_elections_lost")
                        .append(labels)
                        .append(",cause=\"")
                        .append(cause.name().toLowerCase(Locale.ROOT))
                        .append("\"} ")
                        .append(count)
                        .append('\n'));
        simple(
                "doyen_term",
                "gauge",
                "the highest term known",
                view.map(ElectionView::lastTerm).orElse(0L));
        simple("doyen_transitions_total", "counter", "changes of leader, to nobody included", tally.transitions());
        describe("doyen_leaderless_seconds_total", "counter", "time in which nobody was known to lead");
        text.append("doyen_leaderless_seconds_total")
                .append(labels)
                .append("} ")
                .append(tally.leaderlessNanos() / 1e9)
                .append('\n');
        simple(
                "doyen_for_life",
                "gauge",
                "1 if leaders lead for life because the account may not renew leases, else 0",
                view.flatMap(ElectionView::remark).isPresent() ? 1 : 0);
        histogram(tally.writes());
        simple("doyen_store_failures_total", "counter", "calls to the store without a usable answer", tally.failures());
        simple("doyen_event_streams", "gauge", "event streams open now", streams);
        return text.toString();
    }

    private void histogram(Tally.Latencies latencies) {
        var name = "doyen_store_write_seconds";
        describe(name, "histogram", "how long the store took to answer writes, mostly renewals");
        var within = latencies.within();
        for (int at = 0; at < within.size(); at++) {
            bucket(name, String.valueOf(Tally.Latencies.BOUNDS_SECONDS.get(at)), within.get(at));
        }
        bucket(name, "+Inf", latencies.count());
        text.append(name)
                .append("_sum")
                .append(labels)
                .append("} ")
                .append(latencies.sumNanos() / 1e9)
                .append('\n');
        text.append(name)
                .append("_count")
                .append(labels)
                .append("} ")
                .append(latencies.count())
                .append('\n');
    }

    private void bucket(String name, String bound, long count) {
        text.append(name)
                .append("_bucket")
                .append(labels)
                .append(",le=\"")
                .append(bound)
                .append("\"} ")
                .append(count)
                .append('\n');
    }

    private void simple(String name, String type, String help, long value) {
        describe(name, type, help);
        text.append(name).append(labels).append("} ").append(value).append('\n');
    }

    private void describe(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
