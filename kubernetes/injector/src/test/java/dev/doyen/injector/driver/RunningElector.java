package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.Marks;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.ServerProcess;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Runs the elector of a pod in place of a kubelet.
 *
 * <p>The class starts the program of the image in a separate process. The arguments and the environment are taken from
 * the container in the API server. The token belongs to the pod's service account.
 *
 * <p>The process differs from a pod in two points:
 *
 * <ul>
 * <li>All pods share the loopback interface of this machine. So the class replaces the ports of the elector and of the
 *     application in the arguments, in the probes, and in the variables.
 * <li>The token, the API server's address and its certificate come from KUBECONFIG. In a pod, the token and the
 *     certificate come from a fixed folder, which all electors on this machine would share. The test of the image
 *     covers that folder.
 * </ul>
 */
final class RunningElector implements AutoCloseable {

    private static final Duration SOON = Duration.ofSeconds(90);
    private static final Pattern PORT = Pattern.compile(":([0-9]+)\\b");

    private final JsonNode pod;
    private final JsonNode container;
    private final Map<String, Integer> ports;
    private final ServerProcess process;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private RunningElector(JsonNode pod, JsonNode container, Map<String, Integer> ports, ServerProcess process) {
        this.pod = pod;
        this.container = container;
        this.ports = ports;
        this.process = process;
    }

    /** Starts the elector, and returns after the elector listens for requests. */
    static RunningElector start(KubernetesServer server, JsonNode pod, Path directory) throws Exception {
        return start(server, pod, directory, Map.of());
    }

    /**
     * Starts the elector beside a running application.
     *
     * @param application a map from the ports of the application in the pod to the ports of this machine
     */
    static RunningElector start(KubernetesServer server, JsonNode pod, Path directory, Map<String, Integer> application)
            throws Exception {
        var name = pod.at("/metadata/name").asText();
        var container = Stream.of("/spec/initContainers", "/spec/containers")
                .flatMap(list -> stream(pod.at(list)))
                .filter(each -> each.path("name").asText().equals(Marks.CONTAINER))
                .findFirst()
                .orElseThrow();
        assertThat(container.has("command")).as("the image defines the command").isFalse();
        var account = pod.at("/metadata/namespace").asText() + "/"
                + pod.at("/spec/serviceAccountName").asText("default");
        var kubeconfig = server.kubeconfig(account);
        int probes = ServerProcess.freePort();
        var process = ServerProcess.start(
                directory.resolve(name + ".log"),
                port -> command(pod, container, kubeconfig, ports(container, port, probes, application)));
        return new RunningElector(pod, container, ports(container, process.port(), probes, application), process);
    }

    /** Returns a map from the ports of the pod to ports of this machine. */
    private static Map<String, Integer> ports(
            JsonNode container, int port, int probes, Map<String, Integer> application) {
        var ports = new HashMap<>(application);
        ports.put(container.at("/ports/0/containerPort").asText(), port);
        ports.put(container.at("/startupProbe/httpGet/port").asText(), probes);
        return ports;
    }

    private static List<String> command(JsonNode pod, JsonNode container, Path kubeconfig, Map<String, Integer> ports) {
        var command = new ArrayList<>(List.of("env", "-i", "KUBECONFIG=" + kubeconfig));
        for (var variable : container.path("env")) {
            var name = variable.path("name").asText();
            var value = value(variable, pod);
            command.add(name + "=" + (name.equals("ELECTOR_APP_PORT") ? ports.get(value) : here(value, ports)));
        }
        // The command is the same as in the image. It consists of Java, the main class, the program's own argument, and
        // the arguments of the container.
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "-Xss512k",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.doyen.cli.Doyen",
                "elector"));
        for (var argument : container.path("args")) {
            command.add(here(argument.asText(), ports));
        }
        return command;
    }

    private static String value(JsonNode variable, JsonNode pod) {
        if (variable.has("value")) {
            return variable.path("value").asText().replace("$$", "$");
        }
        var field = variable.at("/valueFrom/fieldRef/fieldPath").asText();
        var value = pod.at("/" + field.replace('.', '/'));
        assertThat(value.isTextual())
                .as("%s of the pod, for %s", field, variable)
                .isTrue();
        return value.asText();
    }

    private static String here(String text, Map<String, Integer> ports) {
        return PORT.matcher(text).replaceAll(port -> ":" + ports.getOrDefault(port.group(1), 0));
    }

    String name() {
        return pod.at("/metadata/name").asText();
    }

    /** Waits until each probe of the elector has succeeded. */
    void awaitProbes() throws Exception {
        for (var kind : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
            var probe = container.path(kind);
            if (!probe.isMissingNode()) {
                var port = ports.get(probe.at("/httpGet/port").asText());
                var url = "http://127.0.0.1:" + port + probe.at("/httpGet/path").asText();
                var within = Duration.ofSeconds(probe.path("periodSeconds").asLong()
                        * probe.path("failureThreshold").asLong());
                await(kind + " of " + name(), within, () -> isWell(url));
            }
        }
    }

    /**
     * Returns true if the probe succeeds. The probe fails, as with a kubelet, while the elector does not listen yet.
     */
    private boolean isWell(String url) throws Exception {
        try {
            return get(url).statusCode() == 200;
        } catch (ConnectException e) {
            return false;
        }
    }

    /** Sends a GET request to the URL in the application's variables, and returns the body of the answer. */
    String answerToApplication() throws Exception {
        var url = stream(pod.at("/spec/containers/0/env"))
                .filter(variable -> variable.path("name").asText().equals("ELECTOR_GET_URL"))
                .findFirst()
                .orElseThrow()
                .path("value")
                .asText();
        var answer = get(here(url, ports));
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    /** Waits until the elector reports the pod {@code leader} to its application as the leader. */
    void awaitLeader(String leader) throws Exception {
        await(name() + " names " + leader, SOON, () -> answerToApplication().contains("\"name\":\"" + leader + "\""));
    }

    /**
     * Sends SIGTERM, and waits until the elector has ended.
     *
     * <p>A kubelet does the same when a pod is deleted.
     */
    void terminate() {
        process.terminate();
    }

    @Override
    public void close() {
        process.close();
    }

    private HttpResponse<String> get(String url) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(url)).timeout(SOON).build(), BodyHandlers.ofString());
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Duration within, Condition condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.holds()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).as(what).isLessThan(within);
            new Semaphore(0).tryAcquire(20, TimeUnit.MILLISECONDS);
        }
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}
