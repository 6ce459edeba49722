package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that all programs publish the same metrics, and that the alerts and the dashboard work with each program.
 *
 * <p>The metrics are scrapes of real processes. Promtool evaluates the alerts over these series.
 */
@Timeout(300)
class MetricVocabularyTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Path RULES = ROOT.resolve("kubernetes/monitoring/alerts.yaml");
    private static final Pattern METRIC = Pattern.compile("\\bdoyen_[a-z_]+");

    /** A condition that ignores or selects the hubs. Other programs do not publish its metric. */
    private static final Pattern HUBS = Pattern.compile(
            "(unless|and) on \\(namespace, instance\\) last_over_time\\(doyen_hub_channels\\[[0-9]+m]\\)");

    @TempDir
    static Path folder;

    private static MetricsPage page;
    private static Map<Program, PublishedMetrics> published;

    /** The time limit of the class does not apply to this method. */
    @BeforeAll
    @Timeout(300)
    static void scrape_all_programs() throws Exception {
        page = MetricsPage.read(ROOT);
        published = PublishedMetrics.scrape(ROOT, folder);
    }

    @ParameterizedTest
    @EnumSource
    void a_program_publishes_the_metrics_of_the_page_with_their_types_and_labels(Program program) {
        assertThat(of(program).led().metrics()).isEqualTo(page.metrics(program));
    }

    @ParameterizedTest
    @EnumSource
    void a_program_publishes_each_metric_in_its_alerts(Program program) throws Exception {
        Set<String> alerts = page.alerts(program);
        Map<String, String> expressions = alerts(RULES);
        assertThat(expressions.keySet()).containsAll(alerts);
        for (String alert : alerts) {
            String expression = HUBS.matcher(expressions.get(alert)).replaceAll("");
            assertThat(of(program).led().names()).as(alert).containsAll(namesIn(expression));
        }
    }

    @Test
    void the_page_lists_all_alerts() throws Exception {
        assertThat(page.alerts()).isEqualTo(new TreeSet<>(alerts(RULES).keySet()));
    }

    @Test
    void a_panel_shows_metrics_of_all_programs_that_have_such_metrics() throws Exception {
        JsonNode dashboard = new ObjectMapper()
                .readTree(ROOT.resolve("kubernetes/monitoring/grafana-dashboard.json")
                        .toFile());
        Set<String> used = new TreeSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                Set<String> names = namesIn(target.get("expr").asText());
                assertThat(names).as(panel.get("title").asText()).isNotEmpty();
                used.addAll(names);
            }
        }
        assertThat(used).hasSizeGreaterThan(20);
        for (String name : used) {
            String metric = name.replaceAll("_(bucket|count|sum)$", "");
            List<Program> programs = published.keySet().stream()
                    .filter(each -> page.metrics(each).containsKey(metric))
                    .toList();
            assertThat(programs).as(name).isNotEmpty();
            programs.forEach(each -> assertThat(of(each).led().names()).contains(name));
        }
    }

    @ParameterizedTest
    @EnumSource
    void without_a_leader_exactly_the_alerts_for_this_fire(Program program) throws Exception {
        var scenario = series(program, 60);
        scenario.expect("2m", List.of());
        scenario.expect("12m", withoutLeader(program));
        run(scenario);
    }

    @ParameterizedTest
    @EnumSource
    void without_a_process_an_alert_fires(Program program) throws Exception {
        var scenario = series(program, 0);
        scenario.expect("10m", List.of("DoyenNoCandidate"));
        run(scenario);
    }

    @ParameterizedTest
    @EnumSource
    void each_other_alert_fires_on_its_fault(Program program) throws Exception {
        Set<String> expected = new TreeSet<>(page.alerts(program));
        expected.removeAll(withoutLeader(program));
        expected.remove("DoyenNoCandidate");
        var scenario = new AlertScenario();
        Scrape led = of(program).led();
        for (String series : led.values().keySet()) {
            scenario.put(series, led.values(series, led, of(program).later(), 0).replaceAll("x12 .*", "x90"));
            if (series.startsWith("doyen_is_leader{") || series.equals("doyen_hub_channels")) {
                scenario.put("b", series, "1x90");
            }
        }
        // The values of a sidecar and of a ring are always 0.
        if (program == Program.JAVA || program.isHub()) {
            scenario.replace("doyen_tasks_overrun\\{.*", "1x90");
            scenario.replace("doyen_overlaps_total\\{.*", "0x60 1x30");
        }
        scenario.replace("doyen_transitions_total\\{.*elected.*", "0+0.2x90");
        if (expected.contains("DoyenStoreSlow")) {
            scenario.replace("doyen_renew_duration_seconds_count\\{.*(unknown|written).*", "0+5x90");
            scenario.replace("doyen_store_errors_total\\{.*away.*", "0+1x90");
            scenario.replace("doyen_store_duration_seconds_bucket\\{.*read.*answered.*", "0x90");
            scenario.replace("doyen_store_duration_seconds_bucket\\{.*read.*answered.*(5.0|Inf).*", "0+100x90");
        }
        if (program.isHub()) {
            scenario.replace("doyen_hub_inputs_waiting\\{.*", "1001x90");
            scenario.replace("doyen_hub_loop_lag_seconds\\{.*", "1.5x90");
            scenario.replace("doyen_hub_heap_used_bytes\\{.*", "90x90");
            scenario.replace("doyen_hub_heap_max_bytes\\{.*", "100x90");
            scenario.replace("doyen_hub_refusals_total\\{.*42911.*", "0+11x90");
            scenario.replace("doyen_hub_failed_logins_total\\{.*", "0+4x90");
            scenario.replace("doyen_hub_store_queue_length\\{.*", "101x90");
            scenario.replace("doyen_hub_http_connections\\{.*", "9999x90");
        }
        scenario.expect("15m", expected);
        run(scenario);
    }

    private static List<String> withoutLeader(Program program) {
        return program.isHub() ? List.of("DoyenHubNoLeader") : List.of("DoyenLeaderless", "DoyenNoLeader");
    }

    /**
     * Returns the series of a program that leads for two minutes. After this time nobody leads.
     *
     * @param steps the number of steps of 10 s without a leader
     */
    private static AlertScenario series(Program program, int steps) {
        var scenario = new AlertScenario();
        var scrapes = of(program);
        for (String series : scrapes.led().values().keySet()) {
            scenario.put(series, scrapes.led().values(series, scrapes.lost(), scrapes.later(), steps));
        }
        return scenario;
    }

    private static PublishedMetrics of(Program program) {
        PublishedMetrics found = published.get(program);
        assertThat(found).as(program.onPage()).isNotNull();
        return found;
    }

    private static void run(AlertScenario scenario) throws Exception {
        ServerProcess.assumeInstalled("alerts of each program", "promtool", "prometheus");
        scenario.run(folder, RULES);
    }

    private static Map<String, String> alerts(Path rules) throws IOException {
        Map<String, String> alerts = new LinkedHashMap<>();
        for (JsonNode group : new YAMLMapper().readTree(rules.toFile()).path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                alerts.put(rule.path("alert").asText(), rule.path("expr").asText());
            }
        }
        return alerts;
    }

    private static Set<String> namesIn(String expression) {
        Set<String> names = new TreeSet<>();
        METRIC.matcher(expression).results().map(MatchResult::group).forEach(names::add);
        return names;
    }
}
