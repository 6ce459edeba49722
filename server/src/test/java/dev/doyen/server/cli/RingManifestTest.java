package dev.doyen.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.doyen.cluster.ClusterSettings;
import dev.doyen.testkit.HeldPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * examples/ring-on-kubernetes: its parts fit, and two processes with its arguments find each other by a name, at addresses of
 * their own and one port, as pods have them. No cluster runs it.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class RingManifestTest {

    private static final Path MANIFEST = Path.of("..", "examples", "ring-on-kubernetes", "ring.yaml");

    private final Map<String, JsonNode> parts = new LinkedHashMap<>();

    @BeforeEach
    void read() throws IOException {
        try (var documents =
                new ObjectMapper(new YAMLFactory()).readerFor(JsonNode.class).readValues(MANIFEST.toFile())) {
            while (documents.hasNext()) {
                var part = (JsonNode) documents.next();
                parts.put(part.path("kind").asText(), part);
            }
        }
    }

    @Test
    void the_service_names_the_pods_from_the_beginning_and_only_they_reach_their_ports() {
        JsonNode service = parts.get("Service");
        JsonNode pod = pod();
        assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");
        assertThat(service.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
        assertThat(service.at("/spec/selector")).isEqualTo(pod.at("/metadata/labels"));
        assertThat(arguments()).contains("--dns=" + service.at("/metadata/name").asText());

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
    void the_secret_is_mounted_where_it_is_looked_for() {
        JsonNode pod = pod();
        assertThat(pod.at("/spec/volumes/0/name")).isEqualTo(pod.at("/spec/containers/0/volumeMounts/0/name"));
        String path = pod.at("/spec/containers/0/volumeMounts/0/mountPath").asText();
        assertThat(arguments()).contains("--secret-file=" + path + "/ring.secret");
    }

    @Test
    void two_with_its_arguments_find_each_other_by_name(@TempDir Path directory) throws Exception {
        checkSecondAddress();
        Path secret = Files.writeString(directory.resolve("ring.secret"), "a secret of thirty-two characters");
        int port;
        try (var held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET)) {
            port = held.take(1).get(0);
        }
        try (var first = start("pod-1", "127.0.0.1", port, secret);
                var second = start("pod-2", "127.0.0.2", port, secret)) {
            assertThat(second.awaitSaying("has [pod-1, pod-2]")).contains("election=orders");
            assertThat(first.awaitSaying("has [pod-1, pod-2]")).contains("election=orders");
        }
    }

    private RunningDoyen start(String name, String address, int port, Path secret) throws IOException {
        var words = new ArrayList<String>();
        for (String each : arguments()) {
            words.add(each.replace("$(POD_IP)", address)
                    .replace("$(POD_NAME)", name)
                    .replace(":7800", ":" + port)
                    .replace(":4041", ":0")
                    .replace("--dns=ring", "--dns=localhost")
                    .replace("/secret/ring.secret", secret.toString()));
        }
        // Pods have a loopback each.
        words.add("--http=localhost:0");
        return RunningDoyen.start(words.toArray(String[]::new));
    }

    private JsonNode pod() {
        return parts.get("Deployment").at("/spec/template");
    }

    private List<String> arguments() {
        var arguments = new ArrayList<String>();
        pod().at("/spec/containers/0/args").forEach(each -> arguments.add(each.asText()));
        return arguments;
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
