package dev.doyen.elector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Answers the probes {@code /healthz} and {@code /readyz}, and optionally {@code /metrics}.
 *
 * <p>{@code /healthz} reports whether the process has started and works. {@code /readyz} reports whether the process
 * has read the state of the election and can serve requests. An answer that reports a failure has one line for each
 * failed check. Readiness does not depend on leadership, so a follower can be ready too.
 */
public final class Probes {

    /** The reason why a program is not ready after its shutdown has begun. */
    public static final String SHUTTING_DOWN = "this program is shutting down; send the request to another";

    private final Elections elections;
    private final String defaultElection;
    private final Supplier<Optional<String>> fault;
    private final Supplier<List<String>> obstacles;
    private final Optional<Supplier<String>> metrics;

    /** Creates the probes of a program without metrics. The program is healthy while it serves requests. */
    public Probes(Elections elections, String defaultElection) {
        this(elections, defaultElection, Optional::empty, List::of, Optional.empty());
    }

    /**
     * Creates the probes.
     *
     * @param fault the function that returns the reason, as a sentence, why the process is not healthy; empty if the
     *     process is healthy
     * @param obstacles the function that returns the reasons, as sentences, why the process is not ready; an empty list
     *     if there is no reason
     * @param metrics the function that returns the metrics as text for Prometheus
     */
    public Probes(
            Elections elections,
            String defaultElection,
            Supplier<Optional<String>> fault,
            Supplier<List<String>> obstacles,
            Optional<Supplier<String>> metrics) {
        this.elections = elections;
        this.defaultElection = defaultElection;
        this.fault = fault;
        this.obstacles = obstacles;
        this.metrics = metrics;
    }

    /**
     * Returns a health check that fails until the process has known a leader.
     *
     * @param started the function that returns true after the process has known a leader
     */
    public static Supplier<Optional<String>> untilStarted(BooleanSupplier started, String election) {
        return () -> started.getAsBoolean()
                ? Optional.empty()
                : Optional.of("no leader is known yet in the election \"" + election + "\"; request again");
    }

    public ElectorResponse answer(ElectorRequest request) {
        var path = request.path();
        boolean isMetrics = path.equals("/metrics") && metrics.isPresent();
        if (!path.equals("/healthz") && !path.equals("/readyz") && !isMetrics) {
            return ElectorResponse.text(
                    404,
                    metrics.isPresent()
                            ? "unknown path; the probes are /healthz, /readyz and /metrics"
                            : "unknown path; the probes are /healthz and /readyz");
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return ElectorResponse.text(405, "unsupported method; use GET or HEAD")
                    .with("Allow", "GET, HEAD");
        }
        if (isMetrics) {
            return ElectorResponse.text(200, metrics.get().get())
                    .with("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        }
        List<String> found = path.equals("/healthz") ? fault.get().stream().toList() : obstacles();
        return found.isEmpty() ? ElectorResponse.text(200, "ok") : ElectorResponse.text(503, String.join("\n", found));
    }

    private List<String> obstacles() {
        var found = new ArrayList<>(obstacles.get());
        if (elections.find(defaultElection).isEmpty()) {
            found.add("nothing is known yet about the election \"" + defaultElection + "\"");
        }
        return found;
    }
}
