package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.JoinableElection;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.testkit.FakeElection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Tests the health indicator of the elections, and indicators as health checks of candidates, on any Spring Boot. */
@Timeout(180)
class HealthTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DoyenAutoConfiguration.class, DoyenActuatorAutoConfiguration.class))
            .withPropertyValues("doyen.candidate-id=me");

    /** The build runs the tests with two versions of Spring Boot. This test finds an error in the class path. */
    @Test
    void the_tests_run_with_the_version_that_the_build_has_chosen() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("boot.version"));
    }

    @Test
    void health_depends_on_a_long_store_failure_and_not_on_leading() {
        try (var fake = FakeElection.named("orders")) {
            var silent = new Silent(fake);
            runner.withPropertyValues("doyen.elections.orders.ttl=10s")
                    .withBean(ElectionSource.class, () -> silent)
                    .run(context -> {
                        assertThat(AnyBoot.status(indicator(context))).isEqualTo("UP");
                        fake.grant();
                        assertThat(AnyBoot.status(indicator(context))).isEqualTo("UP");
                        assertThat(AnyBoot.details(indicator(context)))
                                .containsOnlyKeys("leading")
                                .containsEntry("leading", List.of("orders"));
                        silent.time = Optional.of(Duration.ofSeconds(30));
                        assertThat(AnyBoot.status(indicator(context))).isEqualTo("UP");
                        silent.time = Optional.of(Duration.ofMillis(30_001));
                        assertThat(AnyBoot.status(indicator(context))).isEqualTo("DOWN");
                        assertThat(AnyBoot.details(indicator(context))).containsEntry("silentForMillis", 30_001L);
                    });
        }
    }

    @Test
    void the_indicator_can_be_disabled() {
        for (String setting : List.of("leadership", "defaults")) {
            runner.withPropertyValues("doyen.store=memory:", "management.health." + setting + ".enabled=false")
                    .run(context -> assertThat(context).doesNotHaveBean("leadershipHealthIndicator"));
        }
        runner.withPropertyValues(
                        "doyen.store=memory:",
                        "management.health.leadership.enabled=true",
                        "management.health.defaults.enabled=false")
                .run(context -> assertThat(context).hasBean("leadershipHealthIndicator"));
        runner.withPropertyValues("doyen.store=memory:")
                .withClassLoader(
                        new FilteredClassLoader("org.springframework.boot.health", "org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("leadershipHealthIndicator"));
    }

    @Test
    void a_candidate_is_healthy_while_the_indicator_of_its_settings_is_up() {
        var isUp = new AtomicBoolean();
        runner.withPropertyValues(
                        "doyen.store=memory:" + UUID.randomUUID(),
                        "doyen.elections.orders.health.bean=disk",
                        "doyen.elections.orders.health.every=10ms",
                        "doyen.elections.orders.health.fall-after=1",
                        "doyen.elections.orders.health.rise-after=1")
                .withBean("disk", Object.class, () -> AnyBoot.indicator(isUp::get))
                .run(context -> {
                    LeaderElections elections = context.getBean(LeaderElections.class);
                    until(elections, Reason.UNHEALTHY);
                    isUp.set(true);
                    until(elections, Reason.LEADING);
                });
    }

    private static void until(LeaderElections elections, Reason reason) {
        long start = System.nanoTime();
        while (elections.explain("orders").orElseThrow().reason() != reason) {
            assertThat(System.nanoTime() - start).isLessThan(60_000_000_000L);
            Thread.onSpinWait();
        }
    }

    private static Object indicator(ApplicationContext context) {
        return context.getBean("leadershipHealthIndicator");
    }

    /** A source of one fake election. The test sets how long its store has been unavailable. */
    private static final class Silent implements ElectionSource {
        volatile Optional<Duration> time = Optional.empty();
        private final Fakes fakes;

        Silent(FakeElection fake) {
            this.fakes = new Fakes(fake);
        }

        @Override
        public JoinableElection open(String name, ElectionSettings settings) {
            return fakes.open(name, settings);
        }

        @Override
        public Optional<Duration> silentFor() {
            return time;
        }

        @Override
        public void close() {}
    }
}
