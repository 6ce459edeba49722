package dev.doyen.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.Election;
import dev.doyen.event.LossCause;
import dev.doyen.spring.DoyenAutoConfiguration;
import dev.doyen.spring.ElectionSettings;
import dev.doyen.spring.ElectionSource;
import dev.doyen.spring.LeaderElections;
import dev.doyen.testkit.FakeElection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Timeout(180)
class FakeElectionsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DoyenAutoConfiguration.class, FakeElectionsAutoConfiguration.class))
            .withPropertyValues("doyen.store=no-such-store:", "doyen.elections.orders.ttl=2s");

    @Test
    void a_test_controls_the_leadership_with_any_configured_store() {
        runner.run(context -> {
            LeaderElections elections = context.getBean(LeaderElections.class);
            FakeElection orders = context.getBean(FakeElections.class).named("orders");
            assertThat(elections.isLeader("orders")).isFalse();
            orders.grant();
            assertThat(elections.isLeader("orders")).isTrue();
            orders.lose(LossCause.SUSPENDED);
            assertThat(elections.isLeader("orders")).isFalse();
        });
    }

    @Test
    void an_election_has_the_timing_of_the_settings() {
        runner.run(context -> {
            LeaderElections elections = context.getBean(LeaderElections.class);
            FakeElection orders = context.getBean(FakeElections.class).named("orders");
            orders.grant();
            orders.storeUnavailable();
            orders.pass(Duration.ofMillis(1_599));
            assertThat(elections.isLeader("orders")).isTrue();
            orders.pass(Duration.ofMillis(1));
            assertThat(elections.isLeader("orders")).isFalse();
        });
    }

    @Test
    void each_election_is_controlled_separately() {
        runner.withPropertyValues("doyen.elections.bills.ttl=10s").run(context -> {
            LeaderElections elections = context.getBean(LeaderElections.class);
            FakeElections fakes = context.getBean(FakeElections.class);
            assertThat(fakes.names()).containsExactly("bills", "orders");
            fakes.grant("bills");
            assertThat(elections.isLeader("bills")).isTrue();
            assertThat(elections.isLeader("orders")).isFalse();
            fakes.grant("orders");
            fakes.beginAnew();
            assertThat(elections.isLeader("bills")).isFalse();
            assertThat(elections.isLeader("orders")).isFalse();
        });
    }

    @Test
    void two_applications_join_the_same_elections() {
        var fakes = new FakeElections();
        ApplicationContextRunner sharing = runner.withBean(FakeElections.class, () -> fakes);
        sharing.run(second -> {
            LeaderElections two = second.getBean(LeaderElections.class);
            sharing.run(first -> {
                LeaderElections one = first.getBean(LeaderElections.class);
                fakes.named("orders").grant(one.candidate("orders").orElseThrow());
                assertThat(one.isLeader("orders")).isTrue();
                fakes.named("orders").grant(two.candidate("orders").orElseThrow());
                assertThat(one.isLeader("orders")).isFalse();
                assertThat(two.isLeader("orders")).isTrue();
            });
            assertThat(two.isLeader("orders"))
                    .as("the closed application has not closed the elections")
                    .isTrue();
            fakes.named("orders").lose(LossCause.RESIGNED);
            fakes.grant("orders");
            assertThat(two.isLeader("orders"))
                    .as("the remaining candidate leads")
                    .isTrue();
        });
    }

    @Test
    void an_election_source_of_the_application_is_not_used() {
        runner.withBean("own", ElectionSource.class, Refusing::new).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(FakeElections.class).grant("orders");
            assertThat(context.getBean(LeaderElections.class).isLeader("orders"))
                    .isTrue();
        });
    }

    @Test
    void an_unknown_election_name_is_rejected() {
        runner.run(context -> assertThatThrownBy(
                        () -> context.getBean(FakeElections.class).grant("oders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the application has joined no election \"oders\", but in [orders]; name it in an annotation or"
                                + " under doyen.elections, or join it first"));
    }

    private static final class Refusing implements ElectionSource {
        @Override
        public Election open(String name, ElectionSettings settings) {
            throw new IllegalStateException("this source must not be used, but opened " + name);
        }

        @Override
        public void close() {}
    }
}
