package dev.doyen.spring;

import dev.doyen.micrometer.DoyenMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Configures the endpoint, the health indicator, the info contributor and the meters of elections. Each part requires
 * its own dependencies.
 */
@AutoConfiguration(after = DoyenAutoConfiguration.class)
public final class DoyenActuatorAutoConfiguration {

    /** Configures the endpoint and the info contributor, which require the actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Actuated {
        @Bean
        @ConditionalOnAvailableEndpoint(LeadershipEndpoint.class)
        LeadershipEndpoint leadershipEndpoint(LeaderElections elections) {
            return new LeadershipEndpoint(elections);
        }

        @Bean
        InfoContributor leadershipInfoContributor(LeaderElections elections) {
            return new LeadershipInfo(elections);
        }
    }

    /** Configures the health indicator, which requires Spring Boot's health support. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class Healthy {
        @Bean
        @ConditionalOnEnabledHealthIndicator("leadership")
        HealthIndicator leadershipHealthIndicator(
                ObjectProvider<LeaderElections> elections, DoyenProperties properties) {
            return new LeadershipHealth(report(elections, properties));
        }
    }

    /** Configures the health indicator in Spring Boot 3, where the classes of the health have other packages. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = HealthOfBoot3.INDICATOR)
    @ImportRuntimeHints(HealthOfBoot3.Hints.class)
    static class HealthyInBoot3 {
        /** Has the same condition as {@code ConditionalOnEnabledHealthIndicator} of Spring Boot 3. */
        @Bean
        @ConditionalOnExpression("${management.health.leadership.enabled:${management.health.defaults.enabled:true}}")
        HealthOfBoot3 leadershipHealthIndicator(ObjectProvider<LeaderElections> elections, DoyenProperties properties) {
            return new HealthOfBoot3(report(elections, properties));
        }
    }

    private static Supplier<HealthReport> report(
            ObjectProvider<LeaderElections> elections, DoyenProperties properties) {
        return () -> {
            LeaderElections all = elections.getObject();
            return HealthReport.of(all, all.silentFor(), properties.health().storeUnavailableAfter());
        };
    }

    /** Configures the meters, which require doyen-micrometer and a meter registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DoyenMetrics.class, MeterRegistry.class})
    static class Metered {
        @Bean
        CandidateObserver doyenMeters(ObjectProvider<MeterRegistry> registries) {
            return candidate -> {
                MeterRegistry registry = registries.getIfUnique();
                return registry == null ? () -> {} : DoyenMetrics.bind(registry, candidate)::close;
            };
        }
    }
}
