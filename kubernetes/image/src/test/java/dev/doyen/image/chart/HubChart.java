package dev.doyen.image.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The Helm chart of the hub. Helm itself renders the chart. */
public final class HubChart {

    static final Path FOLDER = Path.of("../../kubernetes/helm/doyen-hub");
    /** Values for several nodes, with TLS and an Ingress. */
    public static final Path NODES = FOLDER.resolve("ci/nodes-values.yaml");

    public static final Path ONE_NODE = FOLDER.resolve("ci/one-node-values.yaml");
    /** The name of the release and of its objects. */
    public static final String NAME = "hub";

    static final String NAMESPACE = "shop";
    private static final YAMLMapper YAML = new YAMLMapper();

    private HubChart() {}

    /** Renders all objects with a file of values, and with more values ({@code key=value}). */
    public static List<JsonNode> render(Path values, String... more) throws IOException {
        var command = command().withValuesFile(values);
        set(command, more);
        return parse(command.call());
    }

    /** Renders all objects with these values ({@code key=value}) alone. */
    static List<JsonNode> render(String... values) throws IOException {
        var command = command();
        set(command, values);
        return parse(command.call());
    }

    private static TemplateCommand command() {
        return new Helm(FOLDER)
                .template()
                .withKubeVersion("1.36.0")
                .withName(NAME)
                .withNamespace(NAMESPACE);
    }

    private static void set(TemplateCommand command, String... values) {
        for (var value : values) {
            command.set(value.substring(0, value.indexOf('=')), value.substring(value.indexOf('=') + 1));
        }
    }

    /** Returns the documents of a text in YAML. */
    static List<JsonNode> parse(String text) throws IOException {
        List<JsonNode> documents = new ArrayList<>();
        try (var all = YAML.readerFor(JsonNode.class).<JsonNode>readValues(text)) {
            while (all.hasNext()) {
                var document = all.next();
                if (!document.isNull() && !document.isMissingNode()) {
                    documents.add(document);
                }
            }
        }
        return documents;
    }

    /** Returns the single object of this kind and name. */
    static JsonNode the(List<JsonNode> objects, String kind, String name) {
        var found = objects.stream()
                .filter(each -> each.path("kind").asText().equals(kind)
                        && each.at("/metadata/name").asText().equals(name))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " " + kind + " " + name + " in " + objects);
        }
        return found.get(0);
    }

    /** Returns the content of the settings file. */
    public static String settings(List<JsonNode> objects) {
        return the(objects, "ConfigMap", NAME).at("/data/hub.yaml").asText();
    }

    /** Returns the object that creates the pods, a StatefulSet or a Deployment. */
    static JsonNode workload(List<JsonNode> objects) {
        return objects.stream()
                .filter(each -> each.at("/spec").has("template"))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the spec of the pods. */
    public static JsonNode pod(List<JsonNode> objects) {
        return workload(objects).at("/spec/template/spec");
    }
}
