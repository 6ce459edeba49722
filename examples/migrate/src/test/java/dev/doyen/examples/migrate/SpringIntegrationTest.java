package dev.doyen.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** From Spring Integration's LockRegistryLeaderInitiator, over a lock registry in a database. */
@Timeout(120)
class SpringIntegrationTest {

    private static final String TABLE = """
            CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36),
            CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER TIMESTAMP NOT NULL, PRIMARY KEY (LOCK_KEY, REGION))""";

    private final Shifts shifts = new Shifts();
    private Applications applications;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void by_way_of_both_and_back_two_never_poll_at_once(long seed) throws Exception {
        applications = new Applications("changeover-" + seed, TABLE);
        new Changeover(shifts, seed).run(this::before, this::both, this::after, this::both, this::before);
        assertThat(shifts.overlaps()).isEmpty();
    }

    @Test
    void straight_over_two_poll_at_once() throws Exception {
        applications = new Applications("straight", TABLE);
        try (var old = before("old")) {
            shifts.awaitAtWork("old");
            try (var later = after("new")) {
                shifts.awaitAtWork("old", "new");
            }
        }
        assertThat(shifts.overlaps()).containsExactly("new began beside [old]");
    }

    /** Its lock is free before the event that stops the work: what follows too early then is the library's. */
    private AutoCloseable before(String id) {
        var running = start(
                dev.doyen.examples.migrate.springintegration.before.OrdersApplication.class,
                id,
                "--doyen.enabled=false");
        return () -> {
            shifts.judgeNoMore(id);
            running.close();
        };
    }

    private ConfigurableApplicationContext both(String id) {
        return start(
                dev.doyen.examples.migrate.springintegration.both.OrdersApplication.class,
                id,
                "--spring.config.name=orders-both");
    }

    private ConfigurableApplicationContext after(String id) {
        return start(
                dev.doyen.examples.migrate.springintegration.after.OrdersApplication.class,
                id,
                "--spring.config.name=orders-after");
    }

    private ConfigurableApplicationContext start(Class<?> application, String id, String setting) {
        return applications.start(
                application, id, shifts.poller(id), setting, "--orders.id=" + id, "--doyen.elections.orders.ttl=2s");
    }
}
