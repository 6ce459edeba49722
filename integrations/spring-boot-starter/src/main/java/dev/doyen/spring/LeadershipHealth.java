package dev.doyen.spring;

import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Publishes the {@link HealthReport} as a health indicator of Spring Boot 4. */
final class LeadershipHealth extends AbstractHealthIndicator {

    private final Supplier<HealthReport> report;

    LeadershipHealth(Supplier<HealthReport> report) {
        super("the elections could not be read");
        this.report = report;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        HealthReport now = report.get();
        (now.isDown() ? builder.down() : builder.up()).withDetails(now.details());
    }
}
