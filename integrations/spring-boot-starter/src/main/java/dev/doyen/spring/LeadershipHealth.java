package dev.doyen.spring;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports DOWN if the elections' store or elector has not answered for too long.
 *
 * <p>A change of the leader does not affect the health.
 */
final class LeadershipHealth extends AbstractHealthIndicator {

    private final LeaderElections elections;
    private final Supplier<Optional<Duration>> silentFor;
    private final Duration bound;

    LeadershipHealth(LeaderElections elections, Supplier<Optional<Duration>> silentFor, Duration bound) {
        super("the elections could not be read");
        this.elections = elections;
        this.silentFor = silentFor;
        this.bound = bound;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Optional<Duration> silent = silentFor.get();
        boolean away = silent.filter(time -> time.compareTo(bound) > 0).isPresent();
        if (away) {
            builder.down();
        } else {
            builder.up();
        }
        silent.ifPresent(time -> builder.withDetail("silentForMillis", time.toMillis()));
        builder.withDetail(
                "leading",
                elections.names().stream().filter(elections::isLeader).toList());
    }
}
