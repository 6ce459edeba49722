package dev.doyen.elector.metrics;

import dev.doyen.metrics.Metric;
import dev.doyen.metrics.StoreCall;
import dev.doyen.metrics.StoreErrorKind;
import dev.doyen.metrics.StoreOperation;
import dev.doyen.metrics.StoreOutcome;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The counters of the calls to a store. Immutable.
 *
 * @param calls the durations of the calls, by operation and outcome
 * @param renewals the durations of the renewals of held leases, by outcome
 * @param errors the number of calls without a usable answer, by operation and kind
 */
public record StoreTally(Map<Call, Latencies> calls, Map<StoreOutcome, Latencies> renewals, Map<Fault, Long> errors) {

    public StoreTally {
        calls = Collections.unmodifiableMap(new LinkedHashMap<>(calls));
        renewals = Collections.unmodifiableMap(new LinkedHashMap<>(renewals));
        errors = Collections.unmodifiableMap(new LinkedHashMap<>(errors));
    }

    /** The counters before the first call. All counters start at zero, like those of {@link Tally}. */
    public static final StoreTally NONE = none();

    /** The labels of the duration of a call. */
    public record Call(StoreOperation operation, StoreOutcome outcome) {}

    /** The labels of an error. */
    public record Fault(StoreOperation operation, StoreErrorKind kind) {}

    private static StoreTally none() {
        var calls = new LinkedHashMap<Call, Latencies>();
        var renewals = new LinkedHashMap<StoreOutcome, Latencies>();
        var errors = new LinkedHashMap<Fault, Long>();
        for (var operation : StoreOperation.values()) {
            operation.outcomes().forEach(outcome -> calls.put(new Call(operation, outcome), Latencies.NONE));
            for (var kind : StoreErrorKind.values()) {
                errors.put(new Fault(operation, kind), 0L);
            }
        }
        StoreOperation.COMPARE_AND_SET.outcomes().forEach(outcome -> renewals.put(outcome, Latencies.NONE));
        return new StoreTally(calls, renewals, errors);
    }

    /** Returns the counters after one more call. */
    public StoreTally with(StoreCall call) {
        return new StoreTally(
                with(calls, new Call(call.operation(), call.outcome()), call.nanos()),
                call.isRenewal() ? with(renewals, call.outcome(), call.nanos()) : renewals,
                call.error()
                        .map(kind -> withError(new Fault(call.operation(), kind)))
                        .orElse(errors));
    }

    private Map<Fault, Long> withError(Fault fault) {
        var more = new LinkedHashMap<>(errors);
        more.merge(fault, 1L, Long::sum);
        return more;
    }

    private static <K> Map<K, Latencies> with(Map<K, Latencies> before, K key, long nanos) {
        var more = new LinkedHashMap<>(before);
        more.put(key, more.getOrDefault(key, Latencies.NONE).with(nanos));
        return more;
    }

    /** Writes the metrics of the store. */
    public void write(MetricsWriter out) {
        out.describe(Metric.STORE_DURATION);
        calls.forEach((call, latencies) -> out.histogram(
                Metric.STORE_DURATION,
                latencies,
                call.operation().label(),
                call.outcome().label()));
        out.describe(Metric.RENEW_DURATION);
        renewals.forEach((outcome, latencies) -> out.histogram(Metric.RENEW_DURATION, latencies, outcome.label()));
        out.describe(Metric.STORE_ERRORS);
        errors.forEach((fault, count) -> out.value(
                Metric.STORE_ERRORS,
                count,
                fault.operation().label(),
                fault.kind().label()));
    }
}
