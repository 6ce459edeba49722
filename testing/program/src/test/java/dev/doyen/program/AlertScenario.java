package dev.doyen.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Values of series over time, and the alerts that they must raise. Promtool evaluates the alerts. */
final class AlertScenario {

    /** A query for the alerts that fire. A slow machine can raise the excluded alert without a fault. */
    private static final String FIRING =
            "group by (alertname) (ALERTS{alertstate=\"firing\", alertname!=\"DoyenStoreSlow\"})";

    private static final String ALL_FIRING = "group by (alertname) (ALERTS{alertstate=\"firing\"})";

    private final YAMLMapper yaml = new YAMLMapper();
    private final Map<String, String> series = new LinkedHashMap<>();
    private final ObjectNode test = yaml.createObjectNode();

    /** Adds a series of the instance {@code a}. */
    void put(String name, String values) {
        put("a", name, values);
    }

    void put(String instance, String name, String values) {
        String label = "instance=\"" + instance + "\"";
        String labelled = name.endsWith("}")
                ? name.substring(0, name.length() - 1) + "," + label + "}"
                : name + "{" + label + "}";
        series.put(labelled, values);
    }

    /** Replaces the values of all series whose name and labels match. The scenario must contain such a series. */
    void replace(String pattern, String values) {
        var matching =
                series.keySet().stream().filter(each -> each.matches(pattern)).toList();
        if (matching.isEmpty()) {
            throw new AssertionError("no series matches " + pattern + " in " + series.keySet());
        }
        matching.forEach(each -> series.put(each, values));
    }

    /** Expects that exactly these alerts fire at this time, such as {@code 12m}. */
    void expect(String time, Collection<String> alerts) {
        var expectation = test.withArray("promql_expr_test").addObject();
        expectation.put("expr", alerts.contains("DoyenStoreSlow") ? ALL_FIRING : FIRING);
        expectation.put("eval_time", time);
        var samples = expectation.putArray("exp_samples");
        alerts.forEach(alert -> samples.addObject()
                .put("labels", "{alertname=\"" + alert + "\"}")
                .put("value", 1));
    }

    /** Runs {@code promtool test rules}, and throws an error with its output if an alert is missing or superfluous. */
    void run(Path folder, Path rules) throws IOException, InterruptedException {
        ObjectNode file = yaml.createObjectNode();
        file.putArray("rule_files").add(rules.toString());
        file.put("evaluation_interval", "10s");
        test.put("interval", "10s");
        var input = test.withArray("input_series");
        series.forEach((name, values) -> input.addObject().put("series", name).put("values", values));
        file.putArray("tests").add(test);
        Path path = Files.writeString(
                folder.resolve("scenario-" + System.nanoTime() + ".yaml"), yaml.writeValueAsString(file));
        Process promtool = new ProcessBuilder("promtool", "test", "rules", path.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (promtool.waitFor() != 0) {
            throw new AssertionError(output);
        }
    }
}
