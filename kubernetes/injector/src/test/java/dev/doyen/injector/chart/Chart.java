package dev.doyen.injector.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import dev.doyen.injector.Yamls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The injector's Helm chart, {@code doyen-elector}. Helm itself renders the chart. */
public final class Chart {

    public static final Path FOLDER = Path.of("../../kubernetes/helm/doyen-elector");
    public static final Path CI = FOLDER.resolve("ci");
    static final String TODAY = "1.36.0";
    public static final String NAMESPACE = "doyen-system";

    private Chart() {}

    /** Renders all objects for a current Kubernetes with these values ({@code key=value}). */
    public static List<JsonNode> render(String... values) {
        return renderFor(TODAY, values);
    }

    static List<JsonNode> renderFor(String kubernetes, String... values) {
        return render(command(FOLDER, kubernetes), values);
    }

    private static List<JsonNode> render(TemplateCommand command, String... values) {
        for (var value : values) {
            command.set(value.substring(0, value.indexOf('=')), value.substring(value.indexOf('=') + 1));
        }
        return Yamls.parse(command.call());
    }

    /**
     * Renders the Pod of {@code helm test}. The list is empty if the chart has no such Pod.
     *
     * <p>The library of Helm does not render hooks. So this method renders a copy of the chart in which the Pod is not
     * marked as a hook.
     */
    static List<JsonNode> renderTest(String kubernetes, Path copy, String... values) throws IOException {
        try (var files = Files.walk(FOLDER)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var target = copy.resolve(FOLDER.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.writeString(target, Files.readString(file).replace("helm.sh/hook: test", "a-hook: test"));
            }
        }
        return render(command(copy, kubernetes), values).stream()
                .filter(each -> each.at("/metadata/annotations").has("a-hook"))
                .toList();
    }

    /** Renders all objects with a file of values. */
    public static List<JsonNode> renderFile(Path values) {
        return Yamls.parse(command(FOLDER, TODAY).withValuesFile(values).call());
    }

    private static TemplateCommand command(Path chart, String kubernetes) {
        return new Helm(chart)
                .template()
                .withKubeVersion(kubernetes)
                .withName("doyen")
                .withNamespace(NAMESPACE);
    }

    /** Returns the single object of this kind and name. */
    public static JsonNode the(List<JsonNode> objects, String kind, String name) {
        var found = objects.stream()
                .filter(each -> each.path("kind").asText().equals(kind)
                        && each.at("/metadata/name").asText().equals(name))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " " + kind + " " + name + " in " + objects);
        }
        return found.get(0);
    }
}
