package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Fencing;
import dev.doyen.election.HealthCheck;
import dev.doyen.election.LeaseTiming;
import dev.doyen.election.Priority;
import dev.doyen.event.Explanation;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

/** Tests settings under {@code doyen.} in a context, and the messages for invalid settings. */
class SettingsTest {

    private final String store = "memory:" + UUID.randomUUID();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
            .withPropertyValues("doyen.store=" + store);

    @Test
    void without_elections_no_store_is_needed() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void the_id_of_a_candidate_is_configured_or_contains_its_host() {
        runner.withPropertyValues("doyen.elections.orders.ttl=2s", "doyen.candidate-id=me")
                .run(context -> assertThat(elections(context)
                                .candidate("orders")
                                .orElseThrow()
                                .id())
                        .isEqualTo("me"));
        runner.withPropertyValues("doyen.elections.orders.ttl=2s", "spring.application.name=shop")
                .run(context -> assertThat(elections(context)
                                .candidate("orders")
                                .orElseThrow()
                                .id())
                        .startsWith("shop@")
                        .endsWith("/" + ProcessHandle.current().pid()));
    }

    @Test
    void a_disabled_application_does_not_campaign_and_skips_calls() {
        runner.withPropertyValues("doyen.elections.orders.ttl=2s", "doyen.enabled=false")
                .withBean(Job.class)
                .run(context -> {
                    assertThat(elections(context).candidate("orders")).isEmpty();
                    assertThat(context.getBean(Job.class).text()).isNull();
                });
    }

    @Test
    void an_election_without_auto_start_is_joined_by_a_call() {
        runner.withPropertyValues("doyen.elections.orders.auto-start=false").run(context -> {
            assertThat(elections(context).candidate("orders")).isEmpty();
            elections(context).join("orders");
            assertThat(elections(context).candidate("orders")).isPresent();
        });
    }

    @Test
    void an_annotation_declares_an_election_and_the_lease_is_released_at_the_end() throws Exception {
        try (LeaseStore reader = LeaseStore.open(store)) {
            runner.withBean(Job.class).withBean(Waiting.class).run(context -> {
                assertThat(context.getBean(Waiting.class).elected().await(60, TimeUnit.SECONDS))
                        .isTrue();
                assertThat(elections(context).names()).containsExactly("orders");
                assertThat(context.getBean(Job.class).text()).isEqualTo("led");
                assertThat(reader.read("orders").record().orElseThrow().isHeld())
                        .isTrue();
            });
            LeaseRecord after = reader.read("orders").record().orElseThrow();
            assertThat(after.isHeld()).isFalse();
        }
    }

    @Test
    void elections_can_share_one_session() throws Exception {
        try (LeaseStore reader = LeaseStore.open(store)) {
            runner.withPropertyValues("doyen.session=shared", "doyen.elections.other.ttl=10s")
                    .withBean(Job.class)
                    .withBean(Waiting.class)
                    .run(context -> {
                        assertThat(context.getBean(Waiting.class).elected().await(60, TimeUnit.SECONDS))
                                .isTrue();
                        assertThat(reader.read("orders").record().orElseThrow().epoch())
                                .isPresent();
                    });
        }
    }

    @Test
    void every_duration_and_preference_is_read() {
        runner.withPropertyValues(
                        "doyen.elections.orders.auto-start=false",
                        "doyen.elections.orders.ttl=20s",
                        "doyen.elections.orders.deadline=15s",
                        "doyen.elections.orders.renew-every=3s",
                        "doyen.elections.orders.request-timeout=2s",
                        "doyen.elections.orders.poll-every=1s",
                        "doyen.elections.orders.watched-poll-every=5s",
                        "doyen.elections.orders.resign-cooldown=7s",
                        "doyen.elections.orders.priority=40",
                        "doyen.elections.orders.returns=when-higher",
                        "doyen.elections.orders.fencing=required",
                        "doyen.elections.orders.health.bean=well",
                        "doyen.elections.orders.health.every=2s",
                        "doyen.elections.orders.health.fall-after=5",
                        "doyen.elections.orders.health.rise-after=6",
                        "doyen.elections.orders.health.when-none-healthy=lead-anyway",
                        "doyen.health.store-unavailable-after=1m")
                .run(context -> {
                    DoyenProperties read = context.getBean(DoyenProperties.class);
                    assertThat(read.health().storeUnavailableAfter()).isEqualTo(Duration.ofMinutes(1));
                    ElectionSettings orders = read.election("orders");
                    assertThat(orders.timing())
                            .isEqualTo(new LeaseTiming(
                                    Duration.ofSeconds(20),
                                    Duration.ofSeconds(15),
                                    Duration.ofSeconds(3),
                                    Duration.ofSeconds(2),
                                    Duration.ofSeconds(1),
                                    Duration.ofSeconds(5),
                                    Duration.ofSeconds(7)));
                    assertThat(orders.priority()).isEqualTo(40);
                    assertThat(orders.returns()).isEqualTo(Priority.Returns.WHEN_HIGHER);
                    assertThat(orders.fencing()).isEqualTo(Fencing.REQUIRED);
                    assertThat(orders.health())
                            .isEqualTo(new ElectionSettings.Health(
                                    "well", Duration.ofSeconds(2), 5, 6, HealthCheck.NoneHealthy.LEAD_ANYWAY));
                    assertThat(read.election("unknown").timing()).isEqualTo(LeaseTiming.ofTtl(LeaseTiming.DEFAULT_TTL));
                });
    }

    @Test
    void the_leader_writes_the_configured_generation_or_the_build_time() throws Exception {
        var build = new Properties();
        build.setProperty("time", "2026-11-21T09:00:00Z");
        assertThat(generation(runner)).isZero();
        ApplicationContextRunner built = runner.withBean(BuildProperties.class, () -> new BuildProperties(build));
        assertThat(generation(built))
                .isEqualTo(Instant.parse("2026-11-21T09:00:00Z").getEpochSecond());
        assertThat(generation(built.withPropertyValues("doyen.generation=7"))).isEqualTo(7);
        assertThat(generation(built.withPropertyValues("doyen.generation=7", "doyen.session=shared")))
                .isEqualTo(7);
    }

    @Test
    void a_generation_is_rejected_where_it_has_no_effect() {
        refused(
                analysis -> assertThat(analysis.getDescription()).contains("candidates have no generation"),
                "doyen.store=",
                "doyen.ring.peers=localhost:7800",
                "doyen.generation=0");
        refused(
                analysis -> assertThat(analysis.getDescription()).contains("which has its own generation"),
                "doyen.store=",
                "doyen.elector.url=http://localhost:4040",
                "doyen.generation=7");
    }

    private long generation(ApplicationContextRunner application) throws Exception {
        var read = new AtomicLong();
        try (LeaseStore reader = LeaseStore.open(store)) {
            application.withBean(Job.class).withBean(Waiting.class).run(context -> {
                assertThat(context.getBean(Waiting.class).elected().await(60, TimeUnit.SECONDS))
                        .isTrue();
                read.set(reader.read("orders").record().orElseThrow().notes().generation());
            });
        }
        return read.get();
    }

    @Test
    void an_unhealthy_application_does_not_lead() {
        runner.withPropertyValues(
                        "doyen.elections.orders.health.bean=ill",
                        "doyen.elections.orders.health.every=10ms",
                        "doyen.elections.orders.health.fall-after=1")
                .withBean("ill", BooleanSupplier.class, () -> () -> false)
                .run(context -> {
                    long start = System.nanoTime();
                    while (elections(context)
                                    .candidate("orders")
                                    .orElseThrow()
                                    .explain()
                                    .reason()
                            != Explanation.Reason.UNHEALTHY) {
                        assertThat(System.nanoTime() - start).isLessThan(60_000_000_000L);
                        Thread.onSpinWait();
                    }
                });
    }

    @Test
    void error_messages_contain_the_bound_and_the_remedy() {
        refused(
                analysis -> assertThat(analysis.getDescription()).contains("ttl is 5 ms"),
                "doyen.elections.orders.ttl=5ms");
        refused(
                analysis -> assertThat(analysis.getDescription()).contains("priority is 101"),
                "doyen.elections.orders.priority=101");
        refused(analysis -> assertThat(analysis.getDescription()).contains("generation is -1"), "doyen.generation=-1");
        refused(
                analysis -> {
                    assertThat(analysis.getDescription()).contains("may lose a term");
                    assertThat(analysis.getAction()).contains("use a durable store");
                },
                "doyen.elections.orders.fencing=required");
        refused(
                analysis -> assertThat(analysis.getDescription()).contains("\"nobody\", which does not exist"),
                "doyen.elections.orders.health.bean=nobody");
        refused(
                analysis -> assertThat(analysis.getAction()).contains("1 s to 1 h"),
                "doyen.health.store-unavailable-after=1ms");
        refused(
                analysis -> assertThat(analysis.getAction()).contains("doyen.store=jdbc:postgresql:"),
                "doyen.store=",
                "doyen.elections.orders.ttl=2s");
        refused(
                analysis -> assertThat(analysis.getDescription()).contains("no such DataSource"),
                "doyen.store=datasource:",
                "doyen.elections.orders.ttl=2s");
        refused(
                analysis -> {
                    assertThat(analysis.getDescription())
                            .isEqualTo("doyen.store: no store for \"nonsense:\" on the class path");
                    assertThat(analysis.getAction()).startsWith("use one of file:, jdbc:, memory:");
                },
                "doyen.store=nonsense:",
                "doyen.elections.orders.ttl=2s");
        refused(
                analysis -> {
                    assertThat(analysis.getDescription()).isEqualTo("doyen.store: the URL of the store has no scheme");
                    assertThat(analysis.getAction()).startsWith("use a URL such as file:/var/lib/doyen");
                },
                "doyen.store=/var/lib/doyen",
                "doyen.elections.orders.ttl=2s");
    }

    @Test
    void a_store_bean_of_the_application_is_used_and_left_open() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
                .withBean(LeaseStore.class, () -> LeaseStore.open(store))
                .withBean(Job.class)
                .withBean(Waiting.class)
                .run(context -> {
                    assertThat(context.getBean(Waiting.class).elected().await(60, TimeUnit.SECONDS))
                            .isTrue();
                    assertThat(context.getBean(LeaseStore.class).read("orders").record())
                            .isPresent();
                });
    }

    private void refused(Consumer<FailureAnalysis> as, String... properties) {
        RefusedStart.analysed(as, runner.withPropertyValues(properties));
    }

    private static LeaderElections elections(AssertableApplicationContext context) {
        return context.getBean(LeaderElections.class);
    }

    static class Job {
        @LeaderOnly("orders")
        public String text() {
            return "led";
        }
    }

    static class Waiting {
        private final CountDownLatch elected = new CountDownLatch(1);

        @EventListener
        public void on(ElectedEvent event) {
            elected.countDown();
        }

        CountDownLatch elected() {
            return elected;
        }
    }
}
