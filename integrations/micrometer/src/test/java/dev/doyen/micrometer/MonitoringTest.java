package dev.doyen.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs examples/metrics and scrapes its metrics over HTTP. The tests compare the scraped metrics with
 * kubernetes/monitoring and with docs/reference/metrics.md.
 */
@Timeout(180)
class MonitoringTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern METRIC = Pattern.compile("\\b(?:doyen|leader_election)_[a-z_]+");

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
    void every_metric_has_the_name_in_the_documentation() throws IOException {
        // MemberProcessTest in group/process/ checks the metrics of doyen ring. PrometheusTest in testing/program/
        // checks the metrics of doyen hub. These two tests are not part of this module.
        Set<String> listed =
                namesIn(read("docs/reference/metrics.md").replaceAll("(?s)\n## Of doyen \\w+\n.*?(?=\n## )", ""));
        assertThat(listed).containsAll(families());
        assertThat(shown()).containsAll(listed);
    }

    @Test
    void every_metric_in_an_alert_is_in_the_scrape() throws IOException {
        String alerts = read("kubernetes/monitoring/alerts.yaml");
        assertThat(alerts).contains("doyen_");
        Set<String> names = namesIn(alerts);
        // MemberProcessTest checks the metrics of doyen ring, and PrometheusTest checks those of doyen hub.
        names.removeIf(name -> name.startsWith("doyen_ring_") || name.startsWith("doyen_hub_"));
        assertThat(shown()).containsAll(names);
    }

    @Test
    void every_metric_in_the_dashboard_is_in_the_scrape_and_each_panel_has_one() throws IOException {
        JsonNode dashboard = new ObjectMapper().readTree(read("kubernetes/monitoring/grafana-dashboard.json"));
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                String expression = target.get("expr").asText();
                Set<String> names = namesIn(expression);
                assertThat(names).as(panel.get("title").asText()).isNotEmpty();
                names.removeIf(name -> name.startsWith("doyen_hub_"));
                assertThat(names).as(panel.get("title").asText()).isSubsetOf(shown());
            }
        }
        assertThat(dashboard.get("panels")).hasSizeGreaterThanOrEqualTo(8);
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
                .contains("doyen_transitions_total{election=\"orders\",reason=\"expired\"} 0.0\n")
                .contains("leader_election_master_status{name=\"orders\"} 1.0\n");
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

    /** Returns the names of all scraped series. */
    private static Set<String> shown() {
        Set<String> names = new TreeSet<>();
        scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .forEach(names::add);
        return names;
    }

    /** Returns the scraped names that do not end in _bucket, _sum or _max. */
    private static List<String> families() {
        return shown().stream()
                .filter(name -> !name.matches(".*_(bucket|sum|max)"))
                .toList();
    }

    private static Set<String> namesIn(String text) {
        Set<String> names = new TreeSet<>();
        Matcher found = METRIC.matcher(text);
        while (found.find()) {
            names.add(found.group());
        }
        return names;
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
