package dev.doyen.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs examples/metrics and scrapes its metrics over HTTP. The class also tests the alerts of kubernetes/monitoring.
 *
 * <p>MetricVocabularyTest in testing/program compares the metrics of all programs with these alerts, with the dashboard
 * and with docs/reference/metrics.md.
 */
@Timeout(180)
class MonitoringTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @TempDir
    static Path leases;

    private static Process example;
    private static String scrape;

    @BeforeAll
    static void scrape_a_running_example() throws Exception {
        example = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ROOT.resolve("examples/metrics/MeteredOrders.java").toString(),
                        "n1",
                        "file:" + leases,
                        "0")
                .redirectErrorStream(true)
                .start();
        var out = new BufferedReader(new InputStreamReader(example.getInputStream(), StandardCharsets.UTF_8));
        String url = line(out, "http://localhost:\\d+/metrics");
        line(out, "n1 leads in term \\d+");
        scrape = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @AfterAll
    static void end() throws InterruptedException {
        example.destroy();
        example.waitFor();
    }

    @Test
    void promtool_accepts_the_alerts_and_their_tests() throws Exception {
        ServerProcess.assumeInstalled("alerts", "promtool", "prometheus");
        promtool("check", "rules", "alerts.yaml");
        promtool("test", "rules", "alerts-test.yaml");
    }

    @Test
    void each_alert_has_a_test() throws IOException {
        String tests = read("kubernetes/monitoring/alerts-test.yaml");
        List<String> alerts = Pattern.compile("- alert: (\\w+)")
                .matcher(read("kubernetes/monitoring/alerts.yaml"))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(alerts)
                .hasSizeGreaterThan(16)
                .allSatisfy(alert -> assertThat(tests).containsPattern("\\b" + alert + "\\b"));
    }

    @Test
    void the_example_leads_and_its_metrics_show_it() {
        assertThat(scrape)
                .contains("doyen_is_leader{election=\"orders\"} 1.0\n")
                .contains("doyen_term{election=\"orders\"} 1.0\n")
                .contains("doyen_transitions_total{election=\"orders\",reason=\"elected\"} 1.0\n")
                .contains("doyen_transitions_total{election=\"orders\",reason=\"expired\"} 0.0\n");
    }

    /** Runs promtool on the files of kubernetes/monitoring. */
    private static void promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Process promtool = new ProcessBuilder(command)
                .directory(ROOT.resolve("kubernetes/monitoring").toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(output).isZero();
    }

    private static String line(BufferedReader from, String pattern) throws IOException {
        var before = new StringBuilder();
        while (true) {
            String line = from.readLine();
            assertThat(line)
                    .as("a line that matches " + pattern + " follows " + before)
                    .isNotNull();
            if (line.matches(pattern)) {
                return line;
            }
            before.append(line).append('\n');
        }
    }

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }
}
