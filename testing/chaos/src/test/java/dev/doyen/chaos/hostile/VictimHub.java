package dev.doyen.chaos.hostile;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code doyen hub} in a separate process with a small heap. */
final class VictimHub implements AutoCloseable {

    private static final String KEY = "app.id:a-secret-of-the-chaos-tests";
    private static final Pattern PORT = Pattern.compile("http://[^:/]+:([0-9]+)/");
    private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+([0-9]+) kB");

    /** Limits that fit into the heap, as docs/reference/hub-settings.md requires. */
    private static final String SETTINGS = """
            limits:
              history-bytes-in-all: 67108864
              presence-bytes-in-all: 33554432
            """;

    private final Process process;
    private final int port;
    private final int electorPort;
    private final int probePort;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(60)).build();

    private VictimHub(Process process, int port, int electorPort, int probePort) {
        this.process = process;
        this.port = port;
        this.electorPort = electorPort;
        this.probePort = probePort;
    }

    /**
     * Starts the hub, and returns when the hub listens.
     *
     * @param dir the directory for the settings, the leases and the log
     */
    static VictimHub start(Path dir) throws IOException {
        Files.createDirectories(dir);
        Path settings = Files.writeString(dir.resolve("hub.yaml"), SETTINGS);
        var builder = new ProcessBuilder(List.of(
                        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Xmx384m",
                        "-XX:MaxDirectMemorySize=384m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.doyen.cli.Doyen",
                        "hub",
                        "--port=0",
                        "--elector-port=0",
                        "--probe-port=0",
                        "--claim-ttl=30s",
                        "--data=" + dir.resolve("data"),
                        "--settings=" + settings))
                .redirectError(dir.resolve("hub.log").toFile());
        builder.environment().put("DOYEN_KEY", KEY);
        Process process = builder.start();
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        int port = port(output, "hub");
        int electorPort = port(output, "elector");
        return new VictimHub(process, port, electorPort, port(output, "probes"));
    }

    private static int port(BufferedReader output, String what) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher matcher = PORT.matcher(line);
            if (line.contains(what) && matcher.find()) {
                return Integer.parseInt(matcher.group(1));
            }
        }
        throw new IOException("the hub ended before it printed the address of: " + what);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    InetSocketAddress elector() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), electorPort);
    }

    /** Issues a token for this client, as a token server does. */
    String token(String clientId, String capability) throws IOException, InterruptedException {
        String body = "{\"keyName\":\"app.id\",\"clientId\":\"" + clientId + "\",\"ttl\":86400000,\"capability\":\""
                + capability.replace("\"", "\\\"") + "\",\"timestamp\":" + System.currentTimeMillis()
                + ",\"nonce\":\"nonce-of-" + clientId + "\"}";
        String basic = Base64.getEncoder().encodeToString(KEY.getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/keys/app.id/requestToken"))
                .header("Authorization", "Basic " + basic)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        String answer = http.send(request, BodyHandlers.ofString()).body();
        Matcher token = TOKEN.matcher(answer);
        if (!token.find()) {
            throw new IOException("no token: " + answer);
        }
        return token.group(1);
    }

    /** Returns the elector API's description of an election. */
    String election(String name) throws IOException, InterruptedException {
        return get("http://127.0.0.1:" + electorPort + "/v1/elections/" + name).body();
    }

    /** Returns the reason why the hub is not ready, as the hub reports it. The result is empty if the hub is ready. */
    Optional<String> faultOfReadiness() throws IOException, InterruptedException {
        var answer = get("http://127.0.0.1:" + probePort + "/readyz");
        return answer.statusCode() == 200
                ? Optional.empty()
                : Optional.of(answer.body().strip());
    }

    /** Waits until the hub is ready. Returns false if the hub is not ready within {@code limit}. */
    boolean becomesReady(Duration limit) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (faultOfReadiness().isPresent()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(100);
        }
        return true;
    }

    private java.net.http.HttpResponse<String> get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(60))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    /** Returns the resident memory of the process in bytes. */
    long residentBytes() throws IOException {
        Matcher resident = RESIDENT.matcher(Files.readString(Path.of("/proc/" + process.pid() + "/status")));
        return resident.find() ? Long.parseLong(resident.group(1)) * 1024 : 0;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
