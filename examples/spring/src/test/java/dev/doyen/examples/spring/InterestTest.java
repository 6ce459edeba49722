package dev.doyen.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.fence.StaleTermException;
import dev.doyen.jvms.JvmProcess;
import dev.doyen.jvms.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tests the application with a real PostgreSQL, which all tests share. Instances that the tests kill run in their own
 * JVMs.
 */
@Timeout(900)
class InterestTest {

    private static final long SEED = 13;
    private static final int KILLS = Integer.getInteger("kills", 5);
    private static final int INSTANCES = 3;
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final Patience PATIENCE = new Patience(BOUND);

    @AutoClose
    private static Sandbox sandbox;

    @AutoClose
    private static ConfigurableApplicationContext bystander;

    private static JdbcClient database;
    private static Ledger ledger;

    private final Random random = new Random(SEED);
    private final Map<String, JvmProcess> instances = new HashMap<>();
    private int started;
    private long lastTerm;

    /** Starts an application that takes no part in the election. The tests use its beans to access the tables. */
    @BeforeAll
    static void open() throws IOException {
        sandbox = new Sandbox(0);
        bystander = run("bystander", "--doyen.enabled=false");
        database = bystander.getBean(JdbcClient.class);
        ledger = bystander.getBean(Ledger.class);
    }

    @BeforeEach
    void begin() {
        database.sql("TRUNCATE payment").update();
        database.sql("UPDATE checkpoint SET period = 0, term = 0, began = now()")
                .update();
        database.sql("UPDATE account SET cents = id * 10000").update();
    }

    @Test
    void a_replaced_leader_pays_nothing() {
        assertThat(ledger.goOn(1)).isZero();
        ledger.pay(1, 1, "first");
        assertThat(ledger.goOn(2)).isEqualTo(1);

        assertThatThrownBy(() -> ledger.pay(2, 1, "first"))
                .isInstanceOf(StaleTermException.class)
                .hasMessageContaining("fence 1 < 2");
        assertThatThrownBy(() -> ledger.goOn(1)).isInstanceOf(StaleTermException.class);
        assertPaidOnce(1);
    }

    @Test
    void the_next_leader_waits_for_a_payment_under_way() {
        ledger.goOn(1);
        var next = bystander.getBean(TransactionTemplate.class).execute(status -> {
            ledger.pay(1, 1, "first");
            var waits = CompletableFuture.supplyAsync(() -> ledger.goOn(2));
            PATIENCE.await(
                    "the second leader waits for the first payment",
                    () -> one("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") == 1);
            return waits;
        });
        assertThat(next).succeedsWithin(BOUND).isEqualTo(1L);
        assertPaidOnce(1);
    }

    /** Tests that a new leader pays the interest at once. The first run of its schedule would be an hour later. */
    @Test
    void a_new_leader_does_not_wait_for_its_schedule() {
        database.sql("UPDATE checkpoint SET began = now() - interval '2 hours'").update();
        try (var leader = run("leader", "--doyen.store=memory:", "--interest.period=1h")) {
            PATIENCE.await("the due periods are paid", () -> one("SELECT period FROM checkpoint") == 2);
            assertThat(leader.isRunning()).isTrue();
        }
        assertPaidOnce(2);
    }

    @Test
    void each_period_is_paid_once_after_any_kill() throws Exception {
        try {
            for (int i = 0; i < INSTANCES; i++) {
                start();
            }
            for (int kill = 0; kill < KILLS; kill++) {
                instances.remove(leaderAtWork()).close();
                start();
            }
            JvmProcess frozen = instances.get(leaderAtWork());
            frozen.stop();
            leaderAtWork();
            frozen.goOn();
            long paid = one("SELECT max(period) FROM payment");
            PATIENCE.await(
                    "periods are paid after the frozen leader has continued",
                    () -> one("SELECT max(period) FROM payment") > paid + 50);
        } finally {
            for (JvmProcess each : instances.values()) {
                each.close();
            }
        }
        assertThat(one("SELECT count(DISTINCT term) FROM payment")).isGreaterThan(KILLS);
        assertPaidOnce(one("SELECT period FROM checkpoint"));
    }

    /**
     * Asserts that each period up to {@code last} is paid once, in order and under non-decreasing terms. Also checks
     * the balances.
     */
    private static void assertPaidOnce(long last) {
        assertThat(column("period"))
                .isEqualTo(LongStream.rangeClosed(1, last).boxed().toList());
        assertThat(column("term")).isSorted();
        List<Long> expected = LongStream.rangeClosed(1, 100)
                .map(id -> compounded(id * 10_000, last))
                .boxed()
                .toList();
        assertThat(database.sql("SELECT cents FROM account ORDER BY id")
                        .query(Long.class)
                        .list())
                .isEqualTo(expected);
    }

    private static long compounded(long cents, long periods) {
        for (long period = 0; period < periods; period++) {
            cents += (cents + 500) / 1000;
        }
        return cents;
    }

    private static List<Long> column(String name) {
        return database.sql("SELECT " + name + " FROM payment ORDER BY number")
                .query(Long.class)
                .list();
    }

    private static ConfigurableApplicationContext run(String id, String... settings) {
        var application = new SpringApplication(InterestApplication.class);
        application.setDefaultProperties(Map.of("doyen.candidate-id", id));
        return application.run(Stream.concat(Stream.of(settings), Stream.of("--spring.datasource.url=" + sandbox.url()))
                .toArray(String[]::new));
    }

    private void start() throws IOException {
        String id = "instance-" + ++started;
        var builder = JvmProcess.builder(
                InterestApplication.class,
                List.of(
                        "--doyen.candidate-id=" + id,
                        "--spring.datasource.url=" + sandbox.url(),
                        "--spring.datasource.hikari.data-source-properties.options=-c idle_in_transaction_session_timeout=1s",
                        "--doyen.elections.interest.ttl=1s",
                        "--interest.period=20ms"));
        instances.put(
                id,
                new JvmProcess(
                        id,
                        builder.redirectErrorStream(true)
                                .redirectOutput(JvmProcess.to("instances.log"))
                                .start()));
    }

    /** Waits for a new leader and for some of its first periods, and then returns the leader. */
    private String leaderAtWork() {
        String its = " FROM payment WHERE term > " + lastTerm;
        int periods = 1 + random.nextInt(8);
        PATIENCE.await("another leader has paid periods", () -> one("SELECT count(*)" + its) >= periods);
        LockSupport.parkNanos(random.nextInt(20_000_000));
        lastTerm = one("SELECT max(term) FROM payment");
        return database.sql("SELECT paid_by FROM payment WHERE term = " + lastTerm + " LIMIT 1")
                .query(String.class)
                .single();
    }

    private static long one(String sql) {
        return database.sql(sql).query(Long.class).single();
    }
}
