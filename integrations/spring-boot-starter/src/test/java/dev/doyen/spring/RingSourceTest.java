package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.HeldPorts;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Tests elections among applications that share only a list of addresses. */
@Timeout(180)
class RingSourceTest {

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
            .withPropertyValues("doyen.elections.orders.auto-start=true", "doyen.elections.bills.priority=50")
            .withBean(Listener.class, () -> new Listener(received));

    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);

    @AfterEach
    void release() {
        held.close();
    }

    @Test
    void one_of_two_applications_leads_and_the_other_follows_after_its_stop() throws Exception {
        int one = held.take(1).get(0);
        int two = held.take(1).get(0);
        String peers = "doyen.ring.peers=localhost:" + one + ",localhost:" + two;
        member("a", one, peers).run(a -> {
            until("a elected in orders");
            LeaderElections first = a.getBean(LeaderElections.class);
            member("b", two, peers).run(b -> {
                LeaderElections second = b.getBean(LeaderElections.class);
                until("b follows a in orders");
                assertThat(first.isLeader("orders")).isTrue();
                assertThat(second.isLeader("orders")).isFalse();
                first.stop();
                until("a revoked in orders");
                until("b elected in orders");
                assertThat(second.isLeader("orders")).isTrue();
            });
        });
    }

    @Test
    void every_setting_of_the_ring_is_read() throws Exception {
        int port = held.take(1).get(0);
        member("a", port, "doyen.ring.peers=localhost:" + port)
                .withPropertyValues(
                        "doyen.ring.election-timeout=2100ms",
                        "doyen.ring.algorithm=peterson",
                        "doyen.ring.order=highest-id",
                        "doyen.ring.secret=0123456789abcdef",
                        "doyen.ring.cluster=shop",
                        "doyen.ring.detection=500ms")
                .run(context -> {
                    until("a elected in orders");
                    RingProperties read = context.getBean(DoyenProperties.class).ring();
                    assertThat(read.electionTimeout()).isEqualTo(Duration.ofMillis(2_100));
                    assertThat(read.order()).isEqualTo(RingOrder.HIGHEST_ID);
                    assertThat(read.toString()).doesNotContain("0123456789abcdef");
                });
    }

    @Test
    void invalid_settings_stop_the_start_with_a_sentence() throws Exception {
        String peers = "doyen.ring.peers=localhost:7800";
        RefusedStart.withMessage(
                "names a source of elections: doyen.store, doyen.ring",
                runner.withPropertyValues(peers, "doyen.store=memory:"));
        RefusedStart.withMessage(
                "names a source of elections: doyen.elector.url, doyen.ring",
                runner.withPropertyValues(peers, "doyen.elector.url=localhost:4040"));
        RefusedStart.withMessage(
                "names a source of elections: a bean of type LeaseStore, doyen.ring",
                runner.withPropertyValues(peers).withBean(LeaseStore.class, () -> LeaseStore.open("memory:ring")));
        RefusedStart.withMessage("members have no sessions", runner.withPropertyValues(peers, "doyen.session=shared"));
        RefusedStart.withMessage(
                "doyen.elections.orders has settings of a lease, and elections are on a ring",
                runner.withPropertyValues(peers, "doyen.elections.orders.ttl=2s"));
        RefusedStart.withMessage(
                "has \"nowhere\"; name a host and a port", runner.withPropertyValues("doyen.ring.peers=nowhere"));
        RefusedStart.withMessage(
                "doyen.ring.listen has \"x\"", runner.withPropertyValues(peers, "doyen.ring.listen=x"));
        RefusedStart.withMessage(
                "a silent member stays in the view for 3875 ms, and with an election timeout of 5000 ms the limit is 2600 ms",
                runner.withPropertyValues(peers, "doyen.ring.election-timeout=5s"));
        RefusedStart.withMessage("detection is 1 ms", runner.withPropertyValues(peers, "doyen.ring.detection=1ms"));
        RefusedStart.withMessage(
                "the secret has 5 characters",
                runner.withPropertyValues("doyen.ring.dns=shop.local", "doyen.ring.secret=short"));
        RefusedStart.withMessage(
                "doyen.ring is set, which needs doyen-cluster",
                runner.withPropertyValues(peers).withClassLoader(new FilteredClassLoader("dev.doyen.cluster")));
    }

    @Test
    void an_unknown_setting_stops_the_start_from_any_source() {
        ApplicationContextRunner onRing = runner.withPropertyValues("doyen.ring.peers=localhost:7800");
        String removed =
                "is not a setting any more, because voters were removed; follow docs/guide/migrate/ring-voters.md";

        RefusedStart.withMessage("doyen.ring.voters[0] is set", onRing.withPropertyValues("doyen.ring.voters[0]=a"));
        RefusedStart.withMessage(removed, onRing.withPropertyValues("doyen.ring.voters=a,b,c"));
        RefusedStart.withMessage(removed, onRing.withSystemProperties("doyen.ring.promises=/var/lib/orders"));
        RefusedStart.withMessage(
                "doyen.ring.voters is set, by \"DOYEN_RING_VOTERS\" from property source",
                onRing.withInitializer(context -> variables(context, Map.of("DOYEN_RING_VOTERS", "a,b,c"))));
        RefusedStart.withMessage(
                "doyen.ring.detect is set, by \"doyen.ring.detect\" from property source \"test\", and is not a setting;"
                        + " rename it to doyen.ring.detection, or remove it",
                onRing.withPropertyValues("doyen.ring.detect=5s"));
        // The check must accept these variables: Kubernetes sets the first two, and the others are valid settings. The
        // start then fails for another reason, because a ring has no sessions.
        RefusedStart.withMessage(
                "members have no sessions",
                onRing.withPropertyValues("doyen.session=shared")
                        .withInitializer(context -> variables(
                                context,
                                Map.of(
                                        "DOYEN_RING_SERVICE_HOST", "10.0.0.1",
                                        "DOYEN_RING_PORT_7800_TCP", "tcp://10.0.0.1:7800",
                                        "DOYEN_RING_DETECTION", "3s",
                                        "DOYEN_RING_ELECTION_TIMEOUT", "9s"))));
    }

    private static void variables(ConfigurableApplicationContext context, Map<String, Object> variables) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
    }

    private ApplicationContextRunner member(String id, int port, String peers) {
        held.release(port);
        return runner.withPropertyValues(peers, "doyen.candidate-id=" + id, "doyen.ring.listen=localhost:" + port);
    }

    private void until(String expected) throws InterruptedException {
        String next = received.poll(60, TimeUnit.SECONDS);
        while (next != null && !next.equals(expected)) {
            next = received.poll(60, TimeUnit.SECONDS);
        }
        assertThat(next).as("the event is received in time").isEqualTo(expected);
    }

    static class Listener {
        private final BlockingQueue<String> received;

        Listener(BlockingQueue<String> received) {
            this.received = received;
        }

        @EventListener
        public void on(ElectedEvent event) {
            received.add(event.candidate().id() + " elected in " + event.election());
        }

        @EventListener
        public void on(RevokedEvent event) {
            received.add(event.candidate().id() + " revoked in " + event.election());
        }

        @EventListener
        public void on(LeaderChangedEvent event) {
            event.leader()
                    .ifPresent(leader -> received.add(
                            event.candidate().id() + " follows " + leader.id() + " in " + event.election()));
        }
    }
}
