package dev.doyen.image.driver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Rehearses {@code doyen ring} with two members.
 *
 * <p>The members find each other by a host name, and each member leads at least once. The rehearsal sends requests to
 * both HTTP ports of the first member. As in pods, the two members have different addresses and the same port.
 */
final class RingRehearsal {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
    private static final String SECRET = "a secret that only a rehearsal knows";
    private static final String NAME = "localhost";
    private static final String FIRST = "127.0.0.1";
    private static final String SECOND = "127.0.0.2";

    /** The difference between the port for failure detection and the members' port. */
    private static final int SUSPICION_OFFSET = 100;

    private static final int TRIES = 50;

    private final Path home;
    private final Path scratch;
    private final List<String> java;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** The parameters have the same meaning as in {@link Rehearsal}. */
    RingRehearsal(Path home, Path scratch, List<String> java) {
        this.home = home;
        this.scratch = scratch;
        this.java = java;
    }

    void play() throws Exception {
        Files.writeString(scratch.resolve("ring.secret"), SECRET);
        int port = pairOfPorts();
        int http = Rehearsal.freePort();
        int otherHttp = Rehearsal.freePort();
        int probePort = Rehearsal.freePort();
        var root = URI.create("http://127.0.0.1:" + http + "/");
        var other = URI.create("http://127.0.0.1:" + otherHttp + "/");
        var probes = URI.create("http://127.0.0.1:" + probePort + "/");
        // Only one of the two processes may write the list of classes.
        var withoutList = java.stream()
                .filter(argument -> !argument.startsWith("-XX:DumpLoadedClassList="))
                .toList();
        try (var ring = start(java, "a", FIRST, port, http, probePort);
                var second = start(withoutList, "b", SECOND, port, otherHttp, 0)) {
            ring.whileItRuns("the first names a leader", () -> get(root).contains("\"name\":\""));
            second.whileItRuns("both name one", () -> leader(get(root)).equals(leader(get(other))));
            lead("a", root, other);
            lead("b", other, root);
            ring.whileItRuns("GET / names the other", () -> get(root).contains("\"b\""));
            try (var stream = client.send(request(root.resolve("/sse")).build(), BodyHandlers.ofLines())
                    .body()) {
                if (stream.noneMatch(line -> line.contains("\"b\""))) {
                    throw new IllegalStateException("the stream of the rehearsed ring does not name the leader");
                }
            }
            for (var each : List.of("/healthz", "/readyz", "/metrics")) {
                get(probes.resolve(each));
            }
            get(root.resolve("/v1/elections/orders"));
            second.kill();
            ring.whileItRuns("the first leads alone", () -> get(root).contains("\"a\""));
            ring.endByTerm();
        }
    }

    /** Sends transfer requests to the member at {@code other} until the member {@code id} leads. */
    private void lead(String id, URI own, URI other) throws Exception {
        Waiting.until(id + " leads", () -> {
            if (leader(get(own)).equals(id)) {
                return true;
            }
            client.send(
                    request(other.resolve("/v1/elections/orders/transfer?to=" + id))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.discarding());
            return false;
        });
    }

    private RunningProgram start(List<String> command, String id, String address, int port, int http, int probes)
            throws IOException {
        return RunningProgram.start(
                home,
                scratch.resolve("ring-" + id + ".log"),
                Map.of(),
                command,
                List.of(
                        "orders",
                        "--dns=" + NAME,
                        "--listen=" + address + ":" + port,
                        "--id=" + id,
                        "--secret-file=" + scratch.resolve("ring.secret"),
                        "--detection=500ms",
                        "--election-timeout=2100ms",
                        "--http=127.0.0.1:" + http,
                        "--admin-commands=loopback",
                        "--probe-address=127.0.0.1:" + probes));
    }

    private static String leader(String body) {
        return body.replaceFirst(".*\"name\":\"([^\"]*)\".*", "$1");
    }

    private String get(URI uri) throws IOException, InterruptedException {
        var answer = client.send(request(uri).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(uri + " answered " + answer.statusCode());
        }
        return answer.body();
    }

    private static HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(ANSWER_WITHIN);
    }

    /**
     * Returns a port that is free at the addresses of both members.
     *
     * <p>The port for failure detection is also free at both addresses.
     */
    static int pairOfPorts() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = Rehearsal.freePort();
            if (isFree(FIRST, port + SUSPICION_OFFSET)
                    && isFree(SECOND, port)
                    && isFree(SECOND, port + SUSPICION_OFFSET)) {
                return port;
            }
        }
        throw new IllegalStateException("of " + TRIES + " ports none is free with the one " + SUSPICION_OFFSET
                + " above at both " + FIRST + " and " + SECOND);
    }

    private static boolean isFree(String address, int port) {
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
            return true;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }
}
