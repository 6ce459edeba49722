package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.cluster.ClusterSettings;
import dev.doyen.testkit.HeldPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests the manifest of examples/ring-on-kubernetes with two processes.
 *
 * <p>The labels, ports and paths in the objects of the manifest must match. Two processes with the manifest's arguments
 * must find each other by name, at their own addresses and on one port, like pods.
 *
 * <p>Other tests cover other properties. ImageTest in kubernetes/image/ runs the image with these arguments. In
 * ServiceRingChaosTest in testing/chaos/, three pods find each other by DNS. {@link RingOnKubernetesTest} applies the
 * manifest to an API server.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class RingManifestTest {

    @Test
    void the_service_lists_pods_from_their_start_and_only_pods_can_connect() {
        var parts = RingManifest.parts();
        JsonNode service = parts.get("Service");
        JsonNode pod = RingManifest.pod();
        assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");
        assertThat(service.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
        assertThat(service.at("/spec/selector")).isEqualTo(pod.at("/metadata/labels"));
        assertThat(RingManifest.maker().at("/spec/selector/matchLabels")).isEqualTo(pod.at("/metadata/labels"));
        assertThat(RingManifest.arguments())
                .contains("--dns=" + service.at("/metadata/name").asText());

        JsonNode policy = parts.get("NetworkPolicy");
        assertThat(policy.at("/spec/podSelector/matchLabels")).isEqualTo(pod.at("/metadata/labels"));
        assertThat(policy.at("/spec/ingress/0/from/0/podSelector/matchLabels")).isEqualTo(pod.at("/metadata/labels"));
        var ports =
                List.of(ClusterSettings.DEFAULT_PORT, ClusterSettings.DEFAULT_PORT + ClusterSettings.SUSPICION_OFFSET);
        assertThat(numbers(policy.at("/spec/ingress/0/ports"), "port")).isEqualTo(ports);
        assertThat(numbers(service.at("/spec/ports"), "port")).isEqualTo(ports);
        assertThat(numbers(pod.at("/spec/containers/0/ports"), "containerPort")).containsAll(ports);
    }

    @Test
    void mounted_files_have_the_configured_paths() {
        JsonNode pod = RingManifest.pod();
        assertThat(pod.at("/spec/volumes/0/name")).isEqualTo(pod.at("/spec/containers/0/volumeMounts/0/name"));
        String path = pod.at("/spec/containers/0/volumeMounts/0/mountPath").asText();
        assertThat(RingManifest.arguments()).contains("--secret-file=" + path + "/ring.secret");
    }

    @Test
    void its_pods_are_read_only_run_as_the_user_of_the_image_and_have_a_disruption_budget() {
        JsonNode pod = RingManifest.pod();
        assertThat(pod.at("/spec/securityContext/runAsUser").asInt()).isEqualTo(1069);
        assertThat(pod.at("/spec/containers/0/securityContext/readOnlyRootFilesystem")
                        .asBoolean())
                .isTrue();
        JsonNode budget = RingManifest.parts().get("PodDisruptionBudget");
        assertThat(budget.at("/spec/selector/matchLabels")).isEqualTo(pod.at("/metadata/labels"));
        assertThat(budget.at("/spec/maxUnavailable").asInt()).isEqualTo(1);
    }

    @Test
    void two_processes_with_its_arguments_find_each_other_by_name(@TempDir Path directory) throws Exception {
        checkSecondAddress();
        Files.writeString(directory.resolve("ring.secret"), "a secret of thirty-two characters");
        int port;
        try (var held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET)) {
            port = held.take(1).get(0);
        }
        try (var first = start("ring-0", "127.0.0.1", port, directory);
                var second = start("ring-1", "127.0.0.2", port, directory)) {
            assertThat(second.awaitOutput("has [ring-0, ring-1]")).contains("election=orders");
            assertThat(first.awaitOutput("has [ring-0, ring-1]")).contains("election=orders");
        }
    }

    private static RunningDoyen start(String name, String address, int port, Path directory) throws IOException {
        // The image itself passes "ring" to the program. The manifest contains only the arguments after it.
        var arguments = new ArrayList<>(List.of("ring"));
        for (String each : RingManifest.arguments()) {
            arguments.add(each.replace("$(POD_IP)", address)
                    .replace("$(POD_NAME)", name)
                    .replace(":7800", ":" + port)
                    .replace(":4041", ":0")
                    .replace("--dns=ring", "--dns=localhost")
                    .replace("/secret/", directory + "/"));
        }
        // Each pod has its own loopback interface. These processes share one interface, so each needs a different HTTP
        // port.
        arguments.add("--http=localhost:0");
        return RunningDoyen.start(arguments.toArray(String[]::new));
    }

    private static List<Integer> numbers(JsonNode list, String field) {
        var numbers = new ArrayList<Integer>();
        list.forEach(each -> numbers.add(each.path(field).asInt()));
        return numbers;
    }

    private static void checkSecondAddress() {
        try (var probe = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            assertThat(probe.isBound()).isTrue();
        } catch (IOException e) {
            abort("SKIPPED: this machine cannot listen on 127.0.0.2, a second address of loopback: " + e);
        }
    }
}
