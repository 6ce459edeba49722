package dev.doyen.benchmarks.sidecar;

import dev.doyen.benchmarks.Machine;
import dev.doyen.benchmarks.Sample;
import dev.doyen.benchmarks.server.FreePorts;
import dev.doyen.kubernetesserver.KubernetesServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures the time and the processor time from the start of the elector's image until it names its pod.
 *
 * <p>Each run has its own election, for which only this elector campaigns. The limits of the processor are those that
 * Kubernetes sets for {@code limits.cpu}.
 */
final class SidecarBench {

    private static final List<Integer> MILLICORES = List.of(100, 250, 0);
    private static final int RUNS = Integer.getInteger("bench.rounds", 5);
    private static final Duration SETTLING = Duration.ofSeconds(Long.getLong("bench.settle", 600));
    private static final Duration NAMED_WITHIN = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 20;
    private static final String NAMESPACE = "bench";
    private static final String POD = "pod-a";

    private final Path root;
    private final Path folder;
    private final KubernetesServer server;
    private final AtomicInteger elections = new AtomicInteger();

    private SidecarBench(Path root, Path folder, KubernetesServer server) {
        this.root = root;
        this.folder = folder;
        this.server = server;
    }

    /** One start, in milliseconds since the start of the program. */
    private record Start(double answered, double named, double processorAnswered, double processorNamed) {}

    /**
     * Runs the benchmark.
     *
     * @param args the folder with the image's files, the image, and a folder for temporary files
     */
    public static void main(String[] args) throws Exception {
        var folder = Files.createDirectories(Path.of(args[2]).toAbsolutePath());
        try (var server = KubernetesServer.start(Files.createTempDirectory(folder, "kubernetes"))) {
            var bench = new SidecarBench(Path.of(args[0]).toAbsolutePath(), folder, server);
            var account = bench.account();
            Machine.facts().forEach((name, value) -> System.out.println("- " + name + ": " + value));
            System.out.printf(Locale.ROOT, "- image: %.1f MB%n%n", Files.size(Path.of(args[1])) / 1e6);
            System.out.println(
                    "| limit of the processor | first answer | names its pod | processor time until the first"
                            + " answer | processor time until it names its pod |\n|---|--:|--:|--:|--:|");
            for (int millicores : MILLICORES) {
                bench.measure(account, millicores);
            }
            bench.memory(account);
        }
        System.exit(0);
    }

    private void measure(Path account, int millicores) throws Exception {
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            try (var limit = CpuLimit.create(millicores)) {
                var ports = FreePorts.find(2);
                try (var elector = start(account, limit, ports)) {
                    starts.add(await(elector, limit, ports.get(0)));
                    limit.lift();
                }
            }
        }
        System.out.println("| " + (millicores == 0 ? "none" : "`cpu: " + millicores + "m`")
                + cell(starts.stream().map(Start::answered).toList())
                + cell(starts.stream().map(Start::named).toList())
                + cell(starts.stream().map(Start::processorAnswered).toList())
                + cell(starts.stream().map(Start::processorNamed).toList()) + " |");
    }

    private void memory(Path account) throws Exception {
        try (var limit = CpuLimit.create(0)) {
            var ports = FreePorts.find(2);
            try (var elector = start(account, limit, ports)) {
                await(elector, limit, ports.get(0));
                TimeUnit.SECONDS.sleep(SETTLING.toSeconds());
                System.out.printf(
                        Locale.ROOT,
                        "%nResident memory %d s later: %.1f MiB%n",
                        SETTLING.toSeconds(),
                        elector.residentMebibytes());
            }
        }
    }

    private static String cell(List<Double> values) {
        var sample = new Sample(values);
        return String.format(Locale.ROOT, " | %,.0f ms (%,.0f, %,.0f)", sample.median(), sample.min(), sample.max());
    }

    /** Starts the elector with the first port for the elector API, and the second one for the probes. */
    private ElectorContainer start(Path account, CpuLimit limit, List<Integer> ports) throws IOException {
        var address = URI.create(server.url());
        return ElectorContainer.start(
                root,
                account,
                limit,
                List.of(
                        "ELECTOR_LOG_FORMAT=json",
                        "ELECTOR_ADMIN_COMMANDS=loopback",
                        "POD_NAME=" + POD,
                        "POD_NAMESPACE=" + NAMESPACE,
                        "KUBERNETES_SERVICE_HOST=" + address.getHost(),
                        "KUBERNETES_SERVICE_PORT=" + address.getPort()),
                List.of(
                        "--election=orders-" + elections.incrementAndGet(),
                        "--election-namespace=" + NAMESPACE,
                        "--http=localhost:" + ports.get(0),
                        "--probe-address=0.0.0.0:" + ports.get(1)),
                folder.resolve("elector.log"));
    }

    private static Start await(ElectorContainer elector, CpuLimit limit, int port) throws Exception {
        while (!limit.hasProcess()) {
            elector.checkRuns();
            TimeUnit.MILLISECONDS.sleep(1);
        }
        long began = System.nanoTime();
        awaitLine(elector, began, port, "/", "{");
        double answered = millisSince(began);
        double processorAnswered = limit.usedMillis();
        // One stream costs the elector less processor time than many requests.
        awaitLine(elector, began, port, "/sse", "\"" + POD + "\"");
        return new Start(answered, millisSince(began), processorAnswered, limit.usedMillis());
    }

    /** Repeats the request until a line of an answer contains the text. */
    private static void awaitLine(ElectorContainer elector, long began, int port, String path, String text)
            throws Exception {
        while (!answers(port, path, text)) {
            elector.checkRuns();
            if (System.nanoTime() - began > NAMED_WITHIN.toNanos()) {
                throw new IllegalStateException("GET " + path + " did not answer " + text + " within " + NAMED_WITHIN);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static double millisSince(long began) {
        return (System.nanoTime() - began) / 1e6;
    }

    /** Returns false if the elector does not listen yet, or ends the answer before such a line. */
    private static boolean answers(int port, String path, String text) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) NAMED_WITHIN.toMillis());
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .lines()
                    .anyMatch(line -> line.contains(text));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /** Creates the pod's service account with the rights of the chart, and writes its files as the kubelet does. */
    private Path account() throws Exception {
        var token = server.serviceAccountToken(NAMESPACE, "app");
        server.make("/apis/rbac.authorization.k8s.io/v1/clusterroles", """
                {"metadata": {"name": "elector"}, "rules": [
                  {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"],
                   "verbs": ["get", "create", "list", "watch", "update"]},
                  {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}
                """);
        server.make("/apis/rbac.authorization.k8s.io/v1/namespaces/" + NAMESPACE + "/rolebindings", """
                {"metadata": {"name": "elector"},
                 "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "elector"},
                 "subjects": [{"kind": "ServiceAccount", "name": "app", "namespace": "bench"}]}
                """);
        var account = Files.createTempDirectory(folder, "account");
        Files.writeString(account.resolve("token"), token);
        Files.writeString(account.resolve("namespace"), NAMESPACE);
        Files.copy(server.caFile(), account.resolve("ca.crt"));
        for (var file : List.of(account, account.resolve("token"), account.resolve("namespace"))) {
            file.toFile().setReadable(true, false);
            file.toFile().setExecutable(true, false);
        }
        account.resolve("ca.crt").toFile().setReadable(true, false);
        return account;
    }
}
