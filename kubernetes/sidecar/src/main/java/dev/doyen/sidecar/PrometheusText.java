package dev.doyen.sidecar;

import static dev.doyen.metrics.Metric.Type.GAUGE;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metrics.ElectionMetrics;
import dev.doyen.elector.metrics.MetricsText;
import dev.doyen.elector.metrics.MetricsWriter.Label;
import dev.doyen.elector.metrics.StoreTally;
import dev.doyen.elector.metrics.Tally;
import dev.doyen.metrics.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Writes the metrics of a sidecar for Prometheus. */
public final class PrometheusText {

    private static final String NON_EXPIRING = "doyen_non_expiring_lease";

    private PrometheusText() {}

    /**
     * Returns all metrics.
     *
     * @param id the id of this sidecar's candidate
     * @param view the known state of the election; empty before the store's first answer
     * @param streams the number of open event streams
     */
    public static String of(
            String election, String id, Optional<ElectionView> view, Tally tally, StoreTally store, int streams) {
        var text = new MetricsText();
        boolean leads = view.flatMap(ElectionView::leader)
                .filter(leader -> leader.id().equals(id))
                .isPresent();
        long term = view.map(ElectionView::lastTerm).orElse(0L);
        ElectionMetrics.write(text, List.of(new ElectionMetrics(election, leads, term, tally)));
        ElectionMetrics.writeRemaining(
                text, election, view.flatMap(ElectionView::remaining).orElse(Duration.ZERO));
        text.describe(
                NON_EXPIRING, GAUGE, "1 if leases do not expire because the account may not renew leases, else 0");
        text.value(
                NON_EXPIRING, view.flatMap(ElectionView::remark).isPresent() ? 1 : 0, new Label("election", election));
        store.write(text);
        text.describe(Metric.EVENT_STREAMS);
        text.value(Metric.EVENT_STREAMS, streams, "elector");
        return text.toString();
    }
}
