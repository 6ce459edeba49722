package dev.doyen.micrometer;

import dev.doyen.event.Leader;
import dev.doyen.metrics.Metric;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registers one series with the leader's name. When the leader changes, the series of the new leader replaces the old
 * series. The number of names is limited.
 */
final class LeaderNames {

    static final int MOST = 20;

    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Set<String> known = new HashSet<>();
    private @Nullable Gauge shown;

    LeaderNames(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    synchronized void leads(Optional<Leader> leader) {
        close();
        shown = leader.map(known -> series(bounded(known.id()))).orElse(null);
    }

    synchronized void close() {
        if (shown != null) {
            registry.remove(shown);
            shown = null;
        }
    }

    private Gauge series(String leader) {
        Tags all = CommonMeters.tags(tags, Metric.ELECTION_LEADER, leader);
        return CommonMeters.gauge(Metric.ELECTION_LEADER, all, this, self -> 1).register(registry);
    }

    private String bounded(String name) {
        return known.contains(name) || (known.size() < MOST && known.add(name)) ? name : OTHER;
    }
}
