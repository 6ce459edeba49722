package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.FakeElection;
import dev.doyen.testkit.FaultyLeaseStore;
import dev.doyen.testkit.FaultyLeaseStore.Fault;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.AbstractLeaderEvent;

class OperatorsTest {

    private final FakeElection fake = FakeElection.named("orders");
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DoyenAutoConfiguration.class,
                    DoyenActuatorAutoConfiguration.class,
                    DoyenIntegrationAutoConfiguration.class))
            .withPropertyValues(
                    "doyen.elections.orders.ttl=10s",
                    "doyen.candidate-id=me",
                    "management.endpoints.web.exposure.include=leadership",
                    "management.endpoint.leadership.access=UNRESTRICTED")
            .withBean(ElectionSource.class, () -> new Fakes(fake));

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void the_endpoint_shows_the_leader_and_accepts_a_resignation() {
        assertThat(LeadershipEndpoint.class.getAnnotation(Endpoint.class).defaultAccess())
                .isEqualTo(Access.READ_ONLY);
        var endpoint = new AtomicReference<LeadershipEndpoint>();
        runner.run(context -> {
            endpoint.set(new LeadershipEndpoint(context.getBean(LeaderElections.class)));
            assertThat(endpoint.get().one("unknown")).isNull();
            assertThat(endpoint.get().all().get("orders"))
                    .matches(s -> !s.leading() && "somebody-else".equals(s.leader()) && "HELD".equals(s.reason()));
            fake.grant();
            assertThat(endpoint.get().one("orders"))
                    .matches(s -> s.leading() && "me".equals(s.leader()) && s.term() == 2);
            endpoint.get().resign("orders");
            assertThat(fake.leader()).isEmpty();
        });
    }

    @Test
    void the_endpoint_names_the_fault_of_the_store() {
        runner.run(context -> {
            var endpoint = new LeadershipEndpoint(context.getBean(LeaderElections.class));
            fake.storeUnavailable();
            fake.pass(Duration.ofSeconds(30));
            assertThat(endpoint.one("orders"))
                    .matches(s ->
                            "STORE_AWAY".equals(s.reason()) && s.explanation().contains("set to be away"));
            fake.storeAvailable();
        });
    }

    @Test
    void a_store_is_unavailable_from_its_first_failure_until_it_answers() {
        var now = new AtomicLong();
        var behind = new FaultyLeaseStore();
        try (var watched = new StoreAnswers(behind, now::get, true)) {
            watched.read("orders");
            assertThat(watched.silentFor()).isEmpty();
            behind.fault(Fault.AWAY);
            for (int i = 1; i <= 2; i++) {
                assertThatThrownBy(() -> watched.readAll(List.of("orders")))
                        .isInstanceOf(StoreUnavailableException.class);
                now.addAndGet(1_000_000);
                assertThat(watched.silentFor()).contains(Duration.ofMillis(i));
            }
            behind.fault(Fault.NONE);
            watched.read("orders");
            assertThat(watched.silentFor()).isEmpty();
        }
    }

    @Test
    void a_store_whose_writes_throw_is_unavailable() {
        var now = new AtomicLong();
        var behind = new FaultyLeaseStore();
        LeaseRecord record = LeaseRecord.unheld("orders", 1, "nonce", Duration.ofSeconds(10), Instant.EPOCH);
        List<LeaseStore.Write> writes = List.of(new LeaseStore.Write(LeaseVersion.ABSENT, record));
        try (var watched = new StoreAnswers(behind, now::get, true)) {
            for (Runnable write : List.<Runnable>of(
                    () -> watched.compareAndSet("orders", LeaseVersion.ABSENT, record),
                    () -> watched.compareAndSetAll(writes))) {
                behind.fault(Fault.BROKEN);
                assertThatThrownBy(write::run).isInstanceOf(IllegalStateException.class);
                now.addAndGet(1_000_000);
                assertThat(watched.silentFor()).contains(Duration.ofMillis(1));
                behind.fault(Fault.NONE);
                write.run();
                assertThat(watched.silentFor()).isEmpty();
            }
        }
    }

    @Test
    void info_names_leader_and_term() {
        runner.run(context -> {
            var builder = new Info.Builder();
            new LeadershipInfo(context.getBean(LeaderElections.class)).contribute(builder);
            assertThat(builder.build().getDetails().get("leadership"))
                    .hasToString("{orders={leading=false, leader=somebody-else, term=1}}");
        });
    }

    @Test
    void meters_exist_as_long_as_the_candidate() {
        var registry = new SimpleMeterRegistry();
        runner.withBean(MeterRegistry.class, () -> registry).run(context -> {
            assertThat(registry.getMeters())
                    .anyMatch(m -> "orders".equals(m.getId().getTag("election")));
            context.getBean(LeaderElections.class).leave("orders");
            assertThat(registry.getMeters()).isEmpty();
        });
    }

    @Test
    void spring_integration_receives_grants_and_losses() {
        runner.withBean(Roles.class).run(context -> {
            fake.grant();
            fake.lose(LossCause.EXPIRED);
            assertThat(context.getBean(Roles.class).received)
                    .containsExactly("OnGrantedEvent orders true", "OnRevokedEvent orders false");
        });
    }

    @Test
    void optional_libraries_are_not_required() {
        runner.withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "reactor",
                        "org.reactivestreams",
                        "org.springframework.integration",
                        "io.micrometer",
                        "dev.doyen.micrometer",
                        "dev.doyen.stores"))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(LeadershipEndpoint.class);
                    fake.grant();
                    assertThat(context.getBean(LeaderElections.class).isLeader("orders"))
                            .isTrue();
                });
    }

    static class Roles {
        final List<String> received = new ArrayList<>();

        @EventListener
        public void on(AbstractLeaderEvent event) {
            received.add(event.getClass().getSimpleName() + " " + event.getRole() + " "
                    + event.getContext().isLeader());
        }
    }
}
