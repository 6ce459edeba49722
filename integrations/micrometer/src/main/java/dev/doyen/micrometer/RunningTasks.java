package dev.doyen.micrometer;

import dev.doyen.election.Leadership;
import dev.doyen.election.LocalCandidate;
import dev.doyen.metrics.Metric;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the tasks that still run after their term has ended. Each task runs on its caller's thread. */
final class RunningTasks {

    private final Set<Running> running = ConcurrentHashMap.newKeySet();

    Meter register(MeterRegistry registry, Tags tags) {
        return CommonMeters.gauge(Metric.TASKS_OVERRUN, tags, this, RunningTasks::overrun)
                .register(registry);
    }

    <L extends Leadership, X extends Exception> LocalCandidate.LeaderTask<L, X> watched(
            LocalCandidate.LeaderTask<L, X> task) {
        return leadership -> {
            var entry = new Running(leadership);
            running.add(entry);
            try {
                task.run(leadership);
            } finally {
                running.remove(entry);
            }
        };
    }

    private double overrun() {
        return running.stream().filter(each -> !each.leadership.isCertain()).count();
    }

    /** A running task. The entries are compared by identity, because two tasks of one term count as two tasks. */
    private static final class Running {
        private final Leadership leadership;

        Running(Leadership leadership) {
            this.leadership = leadership;
        }
    }
}
