package dev.doyen.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.spring.LeaderElections;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.support.SmartLifecycleRoleController;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Tests the migration from Spring Integration's LockRegistryLeaderInitiator with a database. */
@Timeout(300)
class SpringIntegrationTest {

    private static final String TABLE = """
            CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36),
            CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER TIMESTAMP NOT NULL, PRIMARY KEY (LOCK_KEY, REGION))""";

    private static final Class<?> OF_BEFORE =
            dev.doyen.examples.migrate.springintegration.before.OrdersApplication.class;
    private static final Class<?> OF_BOTH = dev.doyen.examples.migrate.springintegration.both.OrdersApplication.class;
    private static final Class<?> OF_AFTER = dev.doyen.examples.migrate.springintegration.after.OrdersApplication.class;

    private final Shifts shifts = new Shifts();
    private Applications applications;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void a_migration_through_both_and_back_never_has_two_pollers(long seed) throws Exception {
        applications = new Applications("changeover-" + seed, TABLE);
        new Changeover(shifts, seed).run(this::before, this::both, this::after, this::both, this::before);
        assertThat(shifts.overlaps()).isEmpty();
    }

    @Test
    void a_direct_migration_has_two_pollers() throws Exception {
        applications = new Applications("straight", TABLE);
        try (var old = before("old")) {
            shifts.awaitAtWork("old");
            try (var later = after("new")) {
                shifts.awaitAtWork("old", "new");
            }
        }
        assertThat(shifts.overlaps()).containsExactly("new began while [old] worked");
    }

    @Test
    void with_both_the_lock_is_released_after_the_last_poll() throws Exception {
        applications = new Applications("stopping", TABLE);
        var context = new CompletableFuture<ConfigurableApplicationContext>();
        // This function returns 0 as soon as the initiator has stopped. So a result of 1 shows that the work stopped
        // before the initiator.
        var work = new Stopping(
                () -> context.join().getBean(LockRegistryLeaderInitiator.class).isRunning()
                        ? applications.count("INT_LOCK")
                        : 0);
        try (var both = start(OF_BOTH, "both", work, "--spring.config.name=orders-both")) {
            context.complete(both);
            work.awaitStart();
        }
        assertThat(work.locksHeld()).isOne();
        assertThat(applications.count("INT_LOCK")).isZero();
    }

    @Test
    void endpoints_of_the_role_run_while_the_lease_is_held_and_a_listener_can_yield() throws Exception {
        applications = new Applications("role", TABLE);
        var follower = new Stopping(() -> 0);
        var granted = new CompletableFuture<Context>();
        try (var after = start(
                OF_AFTER,
                "after",
                follower,
                "--spring.config.name=orders-after",
                "--doyen.elections.orders.auto-start=false")) {
            var routes = new Routes();
            after.addApplicationListener(new SmartLifecycleRoleController(List.of("orders"), List.of(routes)));
            after.addApplicationListener(
                    (ApplicationListener<OnGrantedEvent>) event -> granted.complete(event.getContext()));
            after.getBean(LeaderElections.class).join("orders");
            assertThat(granted.get(60, TimeUnit.SECONDS).getRole()).isEqualTo("orders");
            assertThat(routes.started.await(60, TimeUnit.SECONDS)).isTrue();
            granted.get().yield();
            assertThat(routes.stopped.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /**
     * Starts an instance. Overlaps while the instance closes are ignored, because the library releases the lock before
     * it publishes the event that stops the work.
     */
    private AutoCloseable before(String id) {
        var running = start(OF_BEFORE, id, shifts.poller(id), "--doyen.enabled=false");
        return () -> {
            shifts.judgeNoMore(id);
            running.close();
        };
    }

    private ConfigurableApplicationContext both(String id) {
        return start(OF_BOTH, id, shifts.poller(id), "--spring.config.name=orders-both");
    }

    private ConfigurableApplicationContext after(String id) {
        return start(OF_AFTER, id, shifts.poller(id), "--spring.config.name=orders-after");
    }

    private ConfigurableApplicationContext start(Class<?> application, String id, Poller work, String... settings) {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("--orders.id=" + id);
        all.add("--doyen.elections.orders.ttl=10s");
        return applications.start(application, id, work, all.toArray(String[]::new));
    }

    /** A bean with a role. It represents the endpoints and routes of a real application. */
    private static final class Routes implements SmartLifecycle {
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch stopped = new CountDownLatch(1);
        private volatile boolean running;

        @Override
        public void start() {
            running = true;
            started.countDown();
        }

        @Override
        public void stop() {
            running = false;
            stopped.countDown();
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }
}
