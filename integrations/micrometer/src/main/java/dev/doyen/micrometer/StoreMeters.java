package dev.doyen.micrometer;

import dev.doyen.metrics.Metric;
import dev.doyen.metrics.StoreCall;
import dev.doyen.metrics.StoreErrorKind;
import dev.doyen.metrics.StoreOperation;
import dev.doyen.metrics.StoreOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The meters of the calls to a store. Threads: any. */
final class StoreMeters {

    private final Map<Call, Timer> calls = new HashMap<>();
    private final Map<StoreOutcome, Timer> renewals = new HashMap<>();
    private final Map<Fault, Counter> errors = new HashMap<>();

    private record Call(StoreOperation operation, StoreOutcome outcome) {}

    private record Fault(StoreOperation operation, StoreErrorKind kind) {}

    /**
     * Registers all meters at once, because a monitoring system shows no increase if the first value of a counter is 1.
     */
    StoreMeters(MeterRegistry registry) {
        for (var operation : StoreOperation.values()) {
            for (var outcome : operation.outcomes()) {
                var tags = tags(Metric.STORE_DURATION, operation.label(), outcome.label());
                calls.put(
                        new Call(operation, outcome),
                        CommonMeters.timer(Metric.STORE_DURATION, tags).register(registry));
            }
            for (var kind : StoreErrorKind.values()) {
                var tags = tags(Metric.STORE_ERRORS, operation.label(), kind.label());
                errors.put(
                        new Fault(operation, kind),
                        CommonMeters.counter(Metric.STORE_ERRORS, tags).register(registry));
            }
        }
        for (var outcome : StoreOperation.COMPARE_AND_SET.outcomes()) {
            var tags = tags(Metric.RENEW_DURATION, outcome.label());
            renewals.put(
                    outcome, CommonMeters.timer(Metric.RENEW_DURATION, tags).register(registry));
        }
    }

    void count(StoreCall call) {
        var took = Duration.ofNanos(call.nanos());
        record(calls.get(new Call(call.operation(), call.outcome())), took);
        if (call.isRenewal()) {
            record(renewals.get(call.outcome()), took);
        }
        call.error().map(kind -> errors.get(new Fault(call.operation(), kind))).ifPresent(Counter::increment);
    }

    private static void record(@Nullable Timer timer, Duration took) {
        if (timer != null) {
            timer.record(took);
        }
    }

    private static Tags tags(Metric metric, String... values) {
        return CommonMeters.tags(Tags.empty(), metric, values);
    }
}
