package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.postgresserver.PostgresServer;
import dev.doyen.spring.ReportsProcess.Report;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Builds the application of docs/guide/spring.md in an empty directory, and runs its processes with a real PostgreSQL.
 *
 * <p>The tests replace the address of the database and some settings by environment variables.
 */
@Timeout(900)
class GuideTest {

    private static final String BOOT = System.getProperty("boot.version");
    private static final Pattern STARTED = Pattern.compile("Started ReportsApplication");
    private static final String TABLE = "CREATE TABLE IF NOT EXISTS doyen_lease (name text COLLATE \"C\" PRIMARY KEY,"
            + " revision bigint NOT NULL, record text NOT NULL)";

    private static final Duration TTL = Duration.ofSeconds(3);

    @TempDir
    static Path folder;

    @AutoClose
    private static PostgresServer postgres;

    private static Path jar;

    private final List<ReportsProcess> processes = new ArrayList<>();

    @BeforeAll
    static void build() throws Exception {
        var page = new GuidePage();
        if (BOOT.startsWith("4.")) {
            assertThat(page.bootVersion()).as("the version on the page").isEqualTo(BOOT);
        }
        postgres = PostgresServer.start(folder.resolve("postgres"));
        for (String statement : page.statements()) {
            execute("postgres", statement);
        }
        execute("postgres", "CREATE ROLE guest LOGIN");
        execute("postgres", "CREATE DATABASE tableless");
        execute("tableless", "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
        execute("postgres", "CREATE DATABASE readonly");
        execute("readonly", TABLE);
        execute("readonly", "GRANT SELECT ON doyen_lease TO guest");
        jar = page.build(Files.createDirectory(folder.resolve("application")), BOOT);
    }

    @AfterEach
    void end() {
        processes.forEach(ReportsProcess::close);
    }

    @Test
    void another_process_leads_after_a_stop_and_after_a_kill() throws Exception {
        // The first lease does not expire during the test, so the second process leads only if the first releases it.
        ReportsProcess first = start("first", Map.of("DOYEN_ELECTIONS_REPORTS_TTL", "10m"));
        Report begun = first.awaitReportAfter(0);
        Map<String, String> settings = Map.of("DOYEN_ELECTIONS_REPORTS_TTL", TTL.toMillis() + "ms");
        ReportsProcess second = start("second", settings);
        second.await(STARTED);

        first.terminate();
        first.awaitExit();
        Report afterStop = second.awaitReportAfter(begun.term());
        ReportsProcess third = start("third", settings);
        third.await(STARTED);

        second.kill();
        second.awaitExit();
        Report last = second.reports().get(second.reports().size() - 1);
        Report afterKill = third.awaitReportAfter(last.term());
        assertThat(Duration.between(last.time(), afterKill.time()))
                .as("The leader reported at most 0.8 ttl after its last renewal. The others wait a ttl (L1, L2).")
                .isGreaterThan(TTL.dividedBy(5));
        assertThat(afterStop.term()).isLessThanOrEqualTo(last.term());
        List<Report> inOrder = Stream.of(first, second, third)
                .flatMap(each -> each.reports().stream())
                .toList();
        assertThat(inOrder).extracting(Report::term).isSorted();
        assertThat(inOrder).extracting(Report::time).isSorted();
    }

    /** Tests with Spring Boot 3 only what Spring Boot itself prints, because Doyen logs the rest in the same way. */
    static List<Boolean> failFast() {
        return BOOT.startsWith("3.") ? List.of(true) : List.of(false, true);
    }

    @ParameterizedTest
    @MethodSource("failFast")
    void the_console_names_the_fault_of_the_store_and_the_remedy(boolean failFast) throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ReportsProcess away = start("away", faulty(failFast, "reports", 1, "reports"));
            ReportsProcess slow = start("slow", faulty(failFast, "reports", silent.getLocalPort(), "reports"));
            ReportsProcess tableless = start("tableless", faulty(failFast, "guest", postgres.port(), "tableless"));
            ReportsProcess readOnly = start("read-only", faulty(failFast, "guest", postgres.port(), "readonly"));

            isUnavailable(
                    away,
                    failFast,
                    Pattern.quote("the pool returns no connection: PSQLException 08001: Connection to 127.0.0.1:1"
                            + " refused. Check that the hostname and port are correct and that the postmaster is"
                            + " accepting TCP/IP connections"));
            String noAnswer = "the pool returns no connection: SQLTimeoutException: no answer within 2000 ms";
            // Without fail-fast, the limit of the start and the limit of the store are the same.
            isUnavailable(slow, failFast, failFast ? noAnswer : "(it did not answer within 10000 ms|" + noAnswer + ")");
            tableless.await(analysis(
                    Pattern.quote("The store of the elections rejects this application: the table doyen_lease cannot be"
                            + " used (PSQLException 42501: ERROR: permission denied for schema public)"),
                    "let this user read and write it, or create it: " + TABLE));
            assertThat(tableless.awaitExit()).isEqualTo(1);

            String rejected =
                    "PSQLException 42501: ERROR: permission denied for table doyen_lease; grant SELECT, INSERT"
                            + " and UPDATE on the table doyen_lease to this user, or create the table: " + TABLE;
            readOnly.await(Pattern.compile("WARN .* : "
                    + "election \"reports\": this process may not write leases, because a right is missing: the lease"
                    + " of \"~probe-[0-9]+\" cannot be written to PostgreSQL: " + Pattern.quote(rejected)));
            readOnly.await(Pattern.compile("WARN .* : election=reports candidate=read-only "
                    + Pattern.quote("the store rejects the requests of"
                            + " this process: the lease of \"reports\" cannot be written to PostgreSQL: " + rejected)));
            readOnly.await(STARTED);
        }
    }

    private static void isUnavailable(ReportsProcess process, boolean failFast, String why) throws Exception {
        if (failFast) {
            process.await(analysis(
                    "The store of the elections cannot be used: " + why,
                    "Check that the store runs, and that doyen.store is correct. With doyen.store=datasource:, also"
                            + " check spring.datasource.url. With doyen.fail-fast=false, the application starts without"
                            + " its store, and joins its elections when the store answers."));
            assertThat(process.awaitExit()).isEqualTo(1);
        } else {
            process.await(Pattern.compile("WARN .* : the store could not be opened, so this application has not joined"
                    + " the elections reports: " + why + "; it tries again every 5 s\\. Set doyen\\.fail-fast=true if"
                    + " the application must not start without its store\n"));
            process.await(STARTED);
        }
    }

    /** @param description a regular expression */
    private static Pattern analysis(String description, String action) {
        return Pattern.compile("APPLICATION FAILED TO START\n\\*+\n\nDescription:\n\n" + description + "\n\nAction:\n\n"
                + Pattern.quote(action) + "\n");
    }

    /** Returns the settings of an application that cannot use its store. */
    private static Map<String, String> faulty(boolean failFast, String user, int port, String database) {
        return Map.of(
                "DOYEN_FAIL_FAST",
                Boolean.toString(failFast),
                "SPRING_DATASOURCE_USERNAME",
                user,
                "SPRING_DATASOURCE_URL",
                "jdbc:postgresql://127.0.0.1:" + port + "/" + database);
    }

    private ReportsProcess start(String id, Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>();
        all.put("SPRING_DATASOURCE_URL", "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/reports");
        all.putAll(settings);
        ReportsProcess started = ReportsProcess.start(id, jar, all);
        processes.add(started);
        return started;
    }

    private static void execute(String database, String sql) throws SQLException {
        String url = postgres.url().replace("/postgres?", "/" + database + "?");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
