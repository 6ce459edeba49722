package dev.doyen.injector.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.injector.Injection;
import dev.doyen.injector.InjectionSettings;
import dev.doyen.injector.Revision;
import dev.doyen.injector.SidecarKind;
import dev.doyen.injector.Yamls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Compares the Kustomize example, which uses no webhook, with the result of the webhook.
 *
 * <p>The tool kubectl builds the example.
 */
class KustomizeTest {

    private static final Path EXAMPLE = Path.of("../../examples/kubernetes/without-webhook");

    /**
     * The first minor version of kubectl whose Kustomize supports components. Debian 12 contains kubectl 1.20, which
     * does not support components.
     */
    private static final int FIRST_WITH_COMPONENTS = 21;

    private static List<JsonNode> built;

    @BeforeAll
    static void build() throws Exception {
        if (minorVersion() < FIRST_WITH_COMPONENTS) {
            var message = "the Kustomize component: there is no kubectl of 1." + FIRST_WITH_COMPONENTS + " or newer";
            System.out.println("SKIPPED: " + message);
            Assumptions.abort(message);
        }
        built = Yamls.parse(kubectl("kustomize", EXAMPLE.toString()));
    }

    /** Returns the minor version of kubectl; 0 if kubectl is not installed. */
    private static int minorVersion() throws Exception {
        try {
            var minor = Yamls.parse(kubectl("version", "--client", "-o", "json"))
                    .get(0)
                    .at("/clientVersion/minor");
            return Integer.parseInt(minor.asText().replaceAll("[^0-9]", ""));
        } catch (IOException e) {
            return 0;
        }
    }

    private static String kubectl(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("kubectl"));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output;
    }

    @Test
    void the_deployment_equals_the_output_of_the_webhook() throws Exception {
        var spec = Chart.the(built, "Deployment", "orders").at("/spec/template/spec");
        ObjectNode pod = (ObjectNode) Yamls.parse("""
                metadata:
                  labels: {elector.doyen.dev/inject: "true"}
                  annotations: {elector.doyen.dev/election: orders}
                """).get(0);
        pod.set("spec", Yamls.read(EXAMPLE.resolve("deployment.yaml")).get(0).at("/spec/template/spec"));
        var expected = new Injection(new InjectionSettings("doyen-elector:0.1.0", SidecarKind.NATIVE))
                .inject(pod, "shop", Revision.NONE)
                .path("spec");

        assertThat(spec.path("containers")).isEqualTo(expected.path("containers"));
        assertThat(spec.at("/initContainers/1")).isEqualTo(expected.at("/initContainers/1"));
        ObjectNode container = spec.at("/initContainers/0").deepCopy();
        ObjectNode expectedContainer = expected.at("/initContainers/0").deepCopy();
        // The webhook writes the names of the election and the namespace into the arguments. The arguments of the
        // example refer to environment variables instead.
        assertThat(container.remove("args").toString()).contains("--election=$(ELECTION)", "=$(POD_NAMESPACE)");
        expectedContainer.remove("args");
        container.withArray("/env").remove(5);
        container.findParents("fieldPath").forEach(each -> ((ObjectNode) each).put("apiVersion", "v1"));
        assertThat(container).isEqualTo(expectedContainer);
    }

    @Test
    void the_role_equals_that_of_the_chart() {
        assertThat(Chart.the(built, "Role", "elector").path("rules"))
                .isEqualTo(Chart.the(Chart.render(), "ClusterRole", "elector").path("rules"));
        assertThat(Chart.the(built, "RoleBinding", "elector")
                        .at("/subjects/0/namespace")
                        .asText())
                .isEqualTo("shop");
    }
}
