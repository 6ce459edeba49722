package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A new etcd server, run by the etcd program of this machine. The cluster has one member and default settings. */
final class EtcdServer implements Server {

    private static final long UP_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final String client;

    EtcdServer(Path data) throws IOException, InterruptedException {
        List<Integer> ports = FreePorts.find(2);
        client = "http://127.0.0.1:" + ports.get(0);
        String peer = "http://127.0.0.1:" + ports.get(1);
        process = new ProcessBuilder(
                        "etcd",
                        "--data-dir",
                        data.resolve("etcd").toString(),
                        "--listen-client-urls",
                        client,
                        "--advertise-client-urls",
                        client,
                        "--listen-peer-urls",
                        peer,
                        "--initial-advertise-peer-urls",
                        peer,
                        "--initial-cluster",
                        "default=" + peer)
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("etcd.log").toFile())
                .start();
        long began = System.nanoTime();
        while (!isUp()) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() - began > UP_WITHIN_NANOS) {
                process.destroyForcibly();
                throw new IOException("etcd did not start; see " + data.resolve("etcd.log"));
            }
        }
    }

    @Override
    public String url() {
        return "etcd://" + client.substring("http://".length());
    }

    @Override
    public String version() {
        try {
            var versionCommand = new ProcessBuilder("etcd", "--version").start();
            String output = new String(versionCommand.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return "etcd " + output.replaceAll("(?s).*etcd Version: ([0-9.]+).*", "$1");
        } catch (IOException e) {
            return "etcd of unknown version";
        }
    }

    @Override
    public long requests() throws IOException, InterruptedException {
        return Metrics.sum(get("/metrics").body(), "grpc_server_msg_received_total");
    }

    @Override
    public List<ProcessHandle> processes() {
        return List.of(process.toHandle());
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private boolean isUp() throws IOException, InterruptedException {
        try {
            return get("/health").body().contains("true");
        } catch (ConnectException e) {
            return false;
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create(client + path)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
