package dev.doyen.elector;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Answers the probes {@code /healthz} and {@code /readyz}, and optionally {@code /metrics}.
 *
 * <p>{@code /healthz} reports that the process serves and has started; {@code /readyz} reports that it knows the
 * election. Readiness is never leadership: a follower that knows its leader is ready.
 */
public final class Probes {

    private final Elections elections;
    private final String defaultElection;
    private final BooleanSupplier started;
    private final BooleanSupplier leaving;
    private final Optional<Supplier<String>> metrics;

    /** Probes of a program that has started when it serves, and that has no metrics. */
    public Probes(Elections elections, String defaultElection) {
        this(elections, defaultElection, () -> true, () -> false, Optional.empty());
    }

    /**
     * Creates the probes.
     *
     * @param started whether other programs may rely on this one; once true, always true
     * @param leaving whether the shutdown has begun
     * @param metrics the text for Prometheus
     */
    public Probes(
            Elections elections,
            String defaultElection,
            BooleanSupplier started,
            BooleanSupplier leaving,
            Optional<Supplier<String>> metrics) {
        this.elections = elections;
        this.defaultElection = defaultElection;
        this.started = started;
        this.leaving = leaving;
        this.metrics = metrics;
    }

    public ElectorResponse answer(ElectorRequest request) {
        var path = request.path();
        boolean isMetrics = path.equals("/metrics") && metrics.isPresent();
        if (!path.equals("/healthz") && !path.equals("/readyz") && !isMetrics) {
            return ElectorResponse.text(
                    404,
                    metrics.isPresent()
                            ? "there is no such probe; there are /healthz, /readyz and /metrics"
                            : "there is no such probe; there are /healthz and /readyz");
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return ElectorResponse.text(405, "this method is not served here; use GET or HEAD")
                    .with("Allow", "GET, HEAD");
        }
        if (isMetrics) {
            return ElectorResponse.text(200, metrics.get().get())
                    .with("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        }
        if (path.equals("/healthz") && !started.getAsBoolean()) {
            return ElectorResponse.text(
                    503, "it is not known yet who leads the election \"" + defaultElection + "\"; ask again");
        }
        if (path.equals("/readyz") && leaving.getAsBoolean()) {
            return ElectorResponse.text(503, "this program is about to end; go to another");
        }
        if (path.equals("/readyz") && elections.find(defaultElection).isEmpty()) {
            return ElectorResponse.text(503, "nothing is known yet about the election \"" + defaultElection + "\"");
        }
        return ElectorResponse.text(200, "ok");
    }
}
