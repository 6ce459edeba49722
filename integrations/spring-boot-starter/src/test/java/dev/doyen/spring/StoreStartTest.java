package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.testkit.LogLines;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Tests the start of an application whose database is away, and the settings under {@code doyen.datasource}. */
@Timeout(180)
class StoreStartTest {

    private final Database database = new Database();
    private final Listener listener = new Listener();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DoyenAutoConfiguration.class, DoyenActuatorAutoConfiguration.class))
            .withPropertyValues(
                    "doyen.store=datasource:", "doyen.candidate-id=me", "doyen.health.store-unavailable-after=1h")
            .withBean(DataSource.class, () -> database)
            .withBean(Job.class)
            .withBean(Listener.class, () -> listener);

    private Connection open;

    /** Holds a connection open, because H2 forgets a database in memory when its last connection is closed. */
    @BeforeEach
    void open() throws SQLException {
        open = DriverManager.getConnection(database.url);
    }

    @AfterEach
    void close() throws SQLException {
        open.close();
    }

    @Test
    void an_application_starts_without_its_store_and_leads_when_the_store_answers() {
        database.isAway = true;
        try (var log = new LogLines("the store could not be opened")) {
            runner.run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(log.warnings())
                        .singleElement()
                        .asString()
                        .startsWith("the store could not be opened, so this application has not joined the elections"
                                + " orders: the pool returns no connection: SQLException 08001: the database is away;");
                LeaderElections elections = context.getBean(LeaderElections.class);
                Job job = context.getBean(Job.class);
                assertThat(elections.candidate("orders")).isEmpty();
                assertThat(job.text()).as("the application does not lead").isNull();
                assertThat(new LeadershipEndpoint(elections).one("orders"))
                        .matches(status -> !status.leading() && status.reason().equals("STORE_AWAY"))
                        .matches(status -> status.explanation()
                                .startsWith("the store could not be opened yet, so this application has not joined the"
                                        + " election: the pool returns no connection"));
                Object indicator = context.getBean("leadershipHealthIndicator");
                assertThat(AnyBoot.status(indicator))
                        .as("the store was not away for long yet")
                        .isEqualTo("UP");
                assertThat(AnyBoot.details(indicator)).containsKeys("silentForMillis", "notJoined");
                assertThat(elections.silentFor())
                        .hasValueSatisfying(
                                time -> assertThat(HealthReport.of(elections, elections.silentFor(), Duration.ZERO)
                                                .isDown())
                                        .isTrue());

                database.isAway = false;
                assertThat(listener.events.poll(60, TimeUnit.SECONDS)).isEqualTo("elected me");
                assertThat(job.text()).isEqualTo("led");
                assertThat(elections.explain("orders"))
                        .hasValueSatisfying(
                                why -> assertThat(why.reason().name()).isEqualTo("LEADING"));
                assertThat(AnyBoot.details(indicator)).doesNotContainKey("notJoined");
            });
        }
    }

    @Test
    void a_closed_application_makes_no_further_attempt() throws Exception {
        database.isAway = true;
        runner.run(context -> assertThat(context).hasNotFailed());
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().equals("doyen-joining")) {
                each.join(60_000);
                assertThat(each.isAlive()).isFalse();
            }
        }
    }

    @Test
    void with_fail_fast_an_unavailable_store_stops_the_start_with_an_explanation() {
        database.isAway = true;
        RefusedStart.analysed(
                analysis -> {
                    assertThat(analysis.getDescription())
                            .isEqualTo("The store of the elections cannot be used: the pool returns no connection:"
                                    + " SQLException 08001: the database is away");
                    assertThat(analysis.getAction()).startsWith("Check that the store runs, and that doyen.store");
                },
                runner.withPropertyValues("doyen.fail-fast=true"));
    }

    @Test
    void a_missing_right_stops_the_start_with_its_remedy() {
        database.sqlState = "28000";
        database.isAway = true;
        RefusedStart.analysed(
                analysis -> {
                    assertThat(analysis.getDescription())
                            .startsWith("The store of the elections rejects this application: the pool returns no");
                    assertThat(analysis.getAction()).isEqualTo("check the user and the password of the pool");
                },
                runner);
    }

    @Test
    void an_explicit_join_is_repeated_later_unless_the_application_leaves() {
        database.isAway = true;
        runner.withPropertyValues("doyen.elections.orders.auto-start=false").run(context -> {
            LeaderElections elections = context.getBean(LeaderElections.class);
            assertThat(elections.explain("orders")).isEmpty();
            assertThat(elections.join("orders")).isEmpty();
            assertThat(elections.explain("orders")).isPresent();
            elections.leave("orders");
            assertThat(elections.explain("orders")).isEmpty();
            database.isAway = false;
            assertThat(elections.join("orders")).isPresent();
        });
        database.isAway = true;
        runner.withPropertyValues("doyen.elections.orders.auto-start=false", "doyen.fail-fast=true")
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(LeaderElections.class).join("orders"))
                        .isInstanceOf(StoreUnavailableException.class));
    }

    @Test
    void the_table_of_the_settings_is_created_and_used() throws Exception {
        execute("CREATE SCHEMA app");
        runner.withPropertyValues(
                        "doyen.datasource.schema=app",
                        "doyen.datasource.table=leases",
                        "doyen.datasource.timeout=5s",
                        "doyen.datasource.connections=2")
                .run(context -> {
                    assertThat(listener.events.poll(60, TimeUnit.SECONDS)).isEqualTo("elected me");
                    assertThat(count("app.leases")).isPositive();
                });
    }

    @Test
    void an_existing_table_is_used_if_the_store_must_not_create_it() throws Exception {
        ApplicationContextRunner noTable = runner.withPropertyValues("doyen.datasource.create-table=false");
        RefusedStart.analysed(
                analysis -> assertThat(analysis.getAction())
                        .contains("or create it: CREATE TABLE IF NOT EXISTS doyen_lease (name VARBINARY(765)"),
                noTable);
        try (var script = getClass().getResourceAsStream("/dev/doyen/stores/jdbc/migration/h2/R__doyen_lease.sql")) {
            execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
        noTable.run(context -> {
            assertThat(listener.events.poll(60, TimeUnit.SECONDS)).isEqualTo("elected me");
            assertThat(count("doyen_lease")).isPositive();
        });
    }

    @Test
    void invalid_settings_of_the_table_are_rejected() {
        RefusedStart.withMessage(
                "doyen.datasource: timeout is 1 ms; its bounds are 100 ms",
                runner.withPropertyValues("doyen.datasource.timeout=1ms"));
        RefusedStart.withMessage(
                "doyen.datasource: the table is named \"x y\"",
                runner.withPropertyValues("doyen.datasource.table=x y"));
        RefusedStart.withMessage(
                "doyen.datasource is set, and doyen.store does not name the application's DataSource",
                runner.withPropertyValues("doyen.store=memory:", "doyen.datasource.table=leases"));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute(sql);
        }
    }

    private int count(String table) throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            assertThat(rows.next()).isTrue();
            return rows.getInt(1);
        }
    }

    static class Job {
        @LeaderOnly("orders")
        public String text() {
            return "led";
        }
    }

    static class Listener {
        final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @EventListener
        public void on(ElectedEvent event) {
            events.add("elected " + event.candidate().id());
        }
    }

    /** A database in memory that the test can make unavailable. */
    static final class Database extends AbstractDataSource {
        final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";USER=sa";
        volatile boolean isAway;
        volatile String sqlState = "08001";

        @Override
        public Connection getConnection() throws SQLException {
            if (isAway) {
                throw new SQLException("the database is away", sqlState);
            }
            return DriverManager.getConnection(url);
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }
    }
}
