package dev.doyen.injector.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.injector.Injection;
import dev.doyen.injector.InjectionSettings;
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
 * Compares the example without a webhook with the webhook's own result.
 *
 * <p>kubectl builds the example.
 */
class KustomizeTest {

    private static final Path EXAMPLE = Path.of("../../examples/kubernetes/without-webhook");

    /** Debian 12 has kubectl 1.20, whose Kustomize has no components. */
    private static final int FIRST_WITH_COMPONENTS = 21;

    private static List<JsonNode> built;

    @BeforeAll
    static void build() throws Exception {
        if (minorVersion() < FIRST_WITH_COMPONENTS) {
            var said = "the Kustomize component: there is no kubectl of 1." + FIRST_WITH_COMPONENTS + " or newer";
            System.out.println("SKIPPED: " + said);
            Assumptions.abort(said);
        }
        built = Yamls.parse(kubectl("kustomize", EXAMPLE.toString()));
    }

    /** Returns the minor version of kubectl, or 0 if there is none. */
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
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }

    @Test
    void the_deployment_has_what_the_webhook_would_have_given_it() throws Exception {
        var spec = Chart.the(built, "Deployment", "orders").at("/spec/template/spec");
        ObjectNode pod = (ObjectNode) Yamls.parse("""
                metadata:
                  labels: {elector.doyen.dev/inject: "true"}
                  annotations: {elector.doyen.dev/election: orders}
                """).get(0);
        pod.set("spec", Yamls.read(EXAMPLE.resolve("deployment.yaml")).get(0).at("/spec/template/spec"));
        var wanted = new Injection(new InjectionSettings("doyen-elector:0.1.0", SidecarKind.NATIVE))
                .inject(pod, "shop")
                .path("spec");

        assertThat(spec.path("containers")).isEqualTo(wanted.path("containers"));
        assertThat(spec.at("/initContainers/1")).isEqualTo(wanted.at("/initContainers/1"));
        ObjectNode container = spec.at("/initContainers/0").deepCopy();
        ObjectNode wantedContainer = wanted.at("/initContainers/0").deepCopy();
        // The webhook fills in the names of election and namespace. This elector reads them from its environment
        // instead.
        assertThat(container.remove("args").toString()).contains("--election=$(ELECTION)", "=$(POD_NAMESPACE)");
        wantedContainer.remove("args");
        container.withArray("/env").remove(4);
        container.findParents("fieldPath").forEach(each -> ((ObjectNode) each).put("apiVersion", "v1"));
        assertThat(container).isEqualTo(wantedContainer);
    }

    @Test
    void its_role_is_the_charts() {
        assertThat(Chart.the(built, "Role", "elector").path("rules"))
                .isEqualTo(Chart.the(Chart.render(), "ClusterRole", "elector").path("rules"));
        assertThat(Chart.the(built, "RoleBinding", "elector")
                        .at("/subjects/0/namespace")
                        .asText())
                .isEqualTo("shop");
    }
}
