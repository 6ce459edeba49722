package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.doyen.testkit.ServerProcess;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the metrics of a {@code doyen hub} process with a real Prometheus server and with promtool.
 *
 * <p>The test also compares the metrics with the alerts and the dashboard. {@link MetricVocabularyTest} compares the
 * metrics of all programs.
 */
@Timeout(300)
class PrometheusTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final String KEY = "app.id:the-secret-of-the-test";
    private static final Pattern METRIC = Pattern.compile("\\bdoyen_hub_[a-z_]+");

    @TempDir
    Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void prometheus_scrapes_a_hub_and_evaluates_its_alerts_and_panels() throws Exception {
        ServerProcess.assumeInstalled("metrics of the hub", "prometheus", "prometheus");
        try (var hub = RunningHub.start(folder, "keys: [{key: \"" + KEY + "\"}]\n");
                var client = hub.connect(KEY);
                var guess = hub.connect(KEY + "x");
                var prometheus = prometheus(hub.probePort())) {
            assertThat(client.read().text()).contains("\"action\":4");
            assertThat(guess.read().text()).contains("40101");
            String scrape = http.send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + hub.probePort() + "/metrics"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();

            checkMetrics(scrape);
            checkExpressions(prometheus, scrape);
            awaitScrape(prometheus, "doyen_hub_connections{socket=\"open\"} == 1");
            awaitScrape(prometheus, "doyen_hub_failed_logins_total == 1");
            JsonNode target = api(prometheus, "targets").at("/data/activeTargets/0");
            assertThat(target.path("health").asText()).isEqualTo("up");
            assertThat(target.path("lastError").asText()).isEmpty();
        }
    }

    private ServerProcess prometheus(int probePort) throws Exception {
        Path configuration = folder.resolve("prometheus.yaml");
        Files.writeString(configuration, """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: ["%s"]
            scrape_configs: [{job_name: hub, static_configs: [{targets: ["localhost:%d"]}]}]
            """.formatted(ROOT.resolve("kubernetes/monitoring/alerts.yaml"), probePort));
        return ServerProcess.start(
                folder.resolve("prometheus.log"),
                port -> List.of(
                        "prometheus",
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("prometheus"),
                        "--web.listen-address=127.0.0.1:" + port));
    }

    /** Checks the format and the names with promtool, which prints a line for each fault. */
    private void checkMetrics(String scrape) throws Exception {
        Path text = Files.writeString(folder.resolve("metrics.txt"), scrape);
        Process promtool = new ProcessBuilder("promtool", "check", "metrics")
                .redirectInput(text.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(output).isZero();
        assertThat(output).isEmpty();
    }

    /**
     * Checks the expressions of the alerts and of the dashboard.
     *
     * <p>Prometheus must accept each expression, and the hub must export each metric in the expressions.
     */
    private void checkExpressions(ServerProcess prometheus, String scrape) throws Exception {
        List<String> expressions = new ArrayList<>();
        JsonNode alerts = new YAMLMapper()
                .readTree(ROOT.resolve("kubernetes/monitoring/alerts.yaml").toFile());
        alerts.findValues("expr").forEach(expression -> expressions.add(expression.asText()));
        JsonNode dashboard = new ObjectMapper()
                .readTree(ROOT.resolve("kubernetes/monitoring/grafana-dashboard.json")
                        .toFile());
        dashboard.path("panels").findValues("expr").forEach(expression -> expressions.add(expression.asText()));
        Set<String> used = new TreeSet<>();
        for (String expression : expressions) {
            assertThat(query(prometheus, expression).path("status").asText())
                    .as(expression)
                    .isEqualTo("success");
            used.addAll(namesIn(expression));
        }
        assertThat(used).hasSizeGreaterThan(15);
        Set<String> unknown = new TreeSet<>();
        used.stream()
                .filter(name -> !scrape.contains("\n" + name + " ") && !scrape.contains("\n" + name + "{"))
                .forEach(unknown::add);
        assertThat(unknown).as("metrics that the hub does not export").isEmpty();
    }

    /** Waits until a query returns a result, because Prometheus scrapes at its own times. */
    private void awaitScrape(ServerProcess prometheus, String expression) throws Exception {
        while (query(prometheus, expression).at("/data/result").isEmpty()) {
            Thread.onSpinWait();
        }
    }

    /** Runs a query, with values for the variables of Grafana. */
    private JsonNode query(ServerProcess prometheus, String expression) throws Exception {
        String query = expression
                .replace("$__rate_interval", "1m")
                .replace("$__range", "1h")
                .replaceAll("\\$[a-z]+", ".*");
        return api(prometheus, "query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    }

    private JsonNode api(ServerProcess prometheus, String path) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + prometheus.port() + "/api/v1/" + path);
        return new ObjectMapper()
                .readTree(http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                        .body());
    }

    private static Set<String> namesIn(String text) {
        Set<String> names = new TreeSet<>();
        METRIC.matcher(text).results().map(MatchResult::group).forEach(names::add);
        return names;
    }
}
