package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.jvms.Patience;
import dev.doyen.postgresserver.PostgresServer;
import dev.doyen.spring.ReportsProcess.Report;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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

/**
 * Builds the application of docs/guide/spring.md in an empty directory, and runs its processes with a real PostgreSQL.
 *
 * <p>The tests replace the address of the database and some settings by environment variables.
 */
@Timeout(900)
class GuideTest {

    private static final String BOOT = System.getProperty("boot.version");
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
        jar = page.build(folder, BOOT);
    }

    @AfterEach
    void end() {
        processes.forEach(ReportsProcess::close);
    }

    @Test
    void another_process_leads_after_a_stop_and_after_a_kill() throws Exception {
        Map<String, String> settings = Map.of("DOYEN_ELECTIONS_REPORTS_TTL", TTL.toMillis() + "ms");
        ReportsProcess first = start("first", settings);
        Report begun = first.awaitReportAfter(0);
        ReportsProcess second = start("second", settings);
        second.await(Pattern.compile("Started ReportsApplication"));

        first.terminate();
        first.awaitExit();
        Report afterStop = second.awaitReportAfter(begun.term());
        ReportsProcess third = start("third", settings);
        third.await(Pattern.compile("Started ReportsApplication"));

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
