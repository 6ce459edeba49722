package dev.doyen.sidecar;

import static dev.doyen.elector.metrics.MetricsWriter.Type.COUNTER;
import static dev.doyen.elector.metrics.MetricsWriter.Type.GAUGE;
import static dev.doyen.elector.metrics.MetricsWriter.Type.HISTOGRAM;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metrics.MetricsText;
import dev.doyen.elector.metrics.Tally;
import java.util.Optional;

/** Writes the metrics of a sidecar for Prometheus. */
public final class PrometheusText {

    private static final String WRITES = "doyen_store_write_seconds";

    private PrometheusText() {}

    /**
     * Returns all metrics.
     *
     * @param id the id of this sidecar's candidate
     * @param view the known state of the election; empty before the store's first answer
     * @param streams the number of open event streams
     */
    public static String of(String election, String id, Optional<ElectionView> view, Tally tally, int streams) {
        var text = new MetricsText(election);
        text.candidate(id, view, tally.won(), tally.lost());
        text.leaders(view, tally.transitions(), tally.leaderlessNanos());
        text.single(
                "doyen_non_expiring_lease",
                GAUGE,
                "1 if leases do not expire because the account may not renew leases, else 0",
                view.flatMap(ElectionView::remark).isPresent() ? 1 : 0);
        text.describe(WRITES, HISTOGRAM, "time until the store answered a write, mostly renewals");
        text.histogram(WRITES, tally.writes());
        text.single(
                "doyen_store_failures_total", COUNTER, "calls to the store without a usable answer", tally.failures());
        text.single("doyen_event_streams", GAUGE, "open event streams", streams);
        return text.toString();
    }
}
