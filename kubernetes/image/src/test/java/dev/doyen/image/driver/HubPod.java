package dev.doyen.image.driver;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.image.Program;
import dev.doyen.image.chart.HubChart;
import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the container of the chart's pod with the hub's image, on free ports.
 *
 * <p>Like a kubelet, this class mounts the volumes, sets the environment from the Secret, and replaces {@code $(NAME)}
 * in the arguments. {@link #close} kills the container.
 */
final class HubPod implements AutoCloseable {

    static final String KEY = "shop.server:a-secret-that-only-a-test-uses";

    private static final int USER = 1069;

    private final Container container;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;
    private final int electorPort;
    private final int probePort;

    private HubPod(Container container, int port, int electorPort, int probePort) {
        this.container = container;
        this.port = port;
        this.electorPort = electorPort;
        this.probePort = probePort;
    }

    /**
     * Starts the container, and waits until its readiness probe succeeds.
     *
     * @param objects the objects of the chart
     * @param data the folder of the volume; it must exist
     * @param secret the entries of the Secret
     */
    static HubPod start(List<JsonNode> objects, Path folder, Path data, Map<String, String> secret) throws Exception {
        var settings = Files.createTempDirectory(folder, "settings");
        Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(settings.resolve("hub.yaml"), HubChart.settings(objects));
        // Like a kubelet with fsGroup, give the group of the container the right to write.
        Files.setAttribute(data, "unix:gid", USER);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxr-x"));
        int port = ServerProcess.freePort();
        int electorPort = ServerProcess.freePort();
        int probePort = ServerProcess.freePort();
        List<String> arguments = new ArrayList<>();
        for (var each : HubChart.pod(objects).at("/containers/0/args")) {
            var argument = each.asText()
                    .replace("--port=8000", "--port=" + port)
                    .replace("--elector-port=4040", "--elector-port=" + electorPort)
                    .replace("--probe-port=4041", "--probe-port=" + probePort);
            for (var entry : secret.entrySet()) {
                argument = argument.replace("$(" + entry.getKey() + ")", entry.getValue());
            }
            arguments.add(argument);
        }
        var container = Container.start(
                BuiltImages.of(Program.HUB).unpacked(),
                List.of(new Container.Mount(data, "/data", "rw"), new Container.Mount(settings, "/settings", "ro")),
                Files.createTempFile(folder, "hub", ".log"),
                secret,
                arguments);
        var pod = new HubPod(container, port, electorPort, probePort);
        try {
            Waiting.until("the hub is ready", () -> pod.get(probePort, "/readyz") != null);
        } catch (IllegalStateException e) {
            e.addSuppressed(new IllegalStateException(container.output()));
            container.close();
            throw e;
        }
        return pod;
    }

    /** Waits until the node belongs to the hub. Until then, the node asks its clients to reconnect. */
    HubPod joined() throws Exception {
        Waiting.until("the node has joined the hub", () -> container.output().contains("this hub is node"));
        return this;
    }

    Container container() {
        return container;
    }

    /** Connects a client and attaches it to a channel. */
    HubClient client(String id, String channel) throws Exception {
        try {
            return HubClient.attached(http, port, "key=" + KEY, id, channel);
        } catch (IllegalStateException e) {
            e.addSuppressed(new IllegalStateException(container.output()));
            throw e;
        }
    }

    /** Returns the answer of {@code GET /} on the port of the elector API. */
    String leader() throws Exception {
        return get(electorPort, "/");
    }

    /** Returns the leader and the term of an election, in JSON. */
    String election(String name) throws Exception {
        return get(electorPort, "/v1/elections/" + name);
    }

    /** Returns the status of a probe. */
    int probe(String path) throws Exception {
        return send(probePort, path).statusCode();
    }

    /** Sends a GET request, and returns the body of the response. Throws IOException if the status is not 200. */
    private String get(int at, String path) throws IOException, InterruptedException {
        var answer = send(at, path);
        if (answer.statusCode() != 200) {
            throw new IOException(path + " answered " + answer.statusCode());
        }
        return answer.body();
    }

    private HttpResponse<String> send(int at, String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at + path))
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() {
        container.close();
    }
}
