package dev.doyen.program;

import dev.doyen.Control;
import dev.doyen.Election;
import dev.doyen.cluster.ClusterSettings;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.HeldPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Scrapes of real processes: a Java program, a sidecar, a ring and a hub.
 *
 * @param led the scrape while the process leads
 * @param lost a scrape after the process has lost the leadership, while nobody leads
 * @param later another scrape, about two seconds later
 */
record PublishedMetrics(Scrape led, Scrape lost, Scrape later) {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern JAVA_URL = Pattern.compile("http://localhost:\\d+/metrics");
    private static final Pattern PORTS =
            Pattern.compile("API is on port ([0-9]+), probes are answered on port ([0-9]+)");
    private static final String ELECTION = "{election=\"orders\"}";
    private static final String KEY = "app.id:the-secret-of-the-test";

    /** Starts the programs one after the other, and scrapes each program with and without a leader. */
    static Map<Program, PublishedMetrics> scrape(Path root, Path folder) throws Exception {
        Map<Program, PublishedMetrics> all = new EnumMap<>(Program.class);
        all.put(Program.JAVA, ofJava(root, folder.resolve("java")));
        all.put(Program.SIDECAR, ofSidecar(folder.resolve("sidecar")));
        all.put(Program.RING, ofRing());
        all.put(Program.HUB, ofHub(folder));
        return all;
    }

    private static PublishedMetrics ofJava(Path root, Path leases) throws Exception {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        root.resolve("examples/metrics/MeteredOrders.java").toString(),
                        "n1",
                        "file:" + leases,
                        "0")
                .redirectErrorStream(true)
                .start();
        // An interrupt does not end the read of a line, but the end of the process does.
        var limit = CompletableFuture.runAsync(
                java::destroyForcibly, CompletableFuture.delayedExecutor(2, TimeUnit.MINUTES));
        try (BufferedReader out = java.inputReader(StandardCharsets.UTF_8)) {
            URI uri = URI.create(await(out, JAVA_URL).group());
            limit.cancel(false);
            return of(uri, "doyen_is_leader" + ELECTION, () -> pause(leases));
        } finally {
            java.destroyForcibly();
        }
    }

    private static PublishedMetrics ofSidecar(Path leases) throws Exception {
        try (var sidecar = RunningDoyen.start(
                "elector",
                "--election=orders",
                "--id=n1",
                "--store=file:" + leases,
                "--http=localhost:0",
                "--probe-address=localhost:0")) {
            URI uri = metrics(ports(sidecar).group(2));
            return of(uri, "doyen_is_leader" + ELECTION, () -> pause(leases));
        }
    }

    private static PublishedMetrics ofRing() throws Exception {
        try (var held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET)) {
            int port = held.take(1).get(0);
            held.release(port);
            try (var ring = RunningDoyen.start(
                    "ring",
                    "orders",
                    "--listen=localhost:" + port,
                    "--peers=localhost:" + port,
                    "--id=n1",
                    "--http=localhost:0",
                    "--probe-address=localhost:0",
                    "--admin-commands=loopback")) {
                Matcher ports = ports(ring);
                URI resign = URI.create(
                        "http://localhost:" + ports.group(1) + "/v1/elections/orders/resign?cooldown=60m&wait=0s");
                return of(metrics(ports.group(2)), "doyen_is_leader" + ELECTION, () -> post(resign));
            }
        }
    }

    private static PublishedMetrics ofHub(Path folder) throws Exception {
        try (var hub = RunningHub.start(folder, "keys: [{key: \"" + KEY + "\"}]\n");
                var ann = hub.connect(KEY, "ann");
                var ben = hub.connect(KEY, "ben")) {
            URI uri = metrics(Integer.toString(hub.probePort()));
            attach(ann);
            attach(ben);
            present(ann, 0, 2, "leader");
            present(ben, 0, 2, "guest");
            await(uri, scrape -> scrape.value("doyen_hub_members") == 2);
            return of(uri, "doyen_is_leader{election=\"main\"}", () -> present(ann, 1, 3, "leader"));
        }
    }

    private static PublishedMetrics of(URI uri, String isLeader, Action loseTheLeadership) throws Exception {
        Scrape led = await(
                uri, scrape -> scrape.value(isLeader) == 1 && scrape.names().size() > 1);
        loseTheLeadership.run();
        Scrape lost = await(uri, scrape -> scrape.value(isLeader) == 0);
        long end = lost.nanos() + 2_000_000_000L;
        Scrape later = await(uri, scrape -> scrape.nanos() - end >= 0);
        return new PublishedMetrics(led, lost, later);
    }

    /** An action that ends the leadership of a process. */
    private interface Action {
        void run() throws Exception;
    }

    private static void pause(Path leases) {
        control(leases, control -> control.pause("test"));
    }

    private static void control(Path leases, Consumer<Control> command) {
        try (var election = Election.lease("orders")
                .store(LeaseStore.open("file:" + leases))
                .open()) {
            command.accept(election.control("the test"));
        }
    }

    private static void attach(RawWebSocket client) throws IOException {
        client.send("{\"action\":10,\"channel\":\"main\"}");
    }

    private static void present(RawWebSocket client, int serial, int action, String data) throws IOException {
        client.send("{\"action\":14,\"channel\":\"main\",\"msgSerial\":" + serial + ",\"presence\":[{\"action\":"
                + action + ",\"data\":\"" + data + "\"}]}");
    }

    private static void post(URI uri) throws IOException, InterruptedException {
        var reply = HTTP.send(
                HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString());
        if (reply.statusCode() / 100 != 2) {
            throw new AssertionError(reply.statusCode() + " " + reply.body());
        }
    }

    private static URI metrics(String port) {
        return URI.create("http://localhost:" + port + "/metrics");
    }

    private static Matcher ports(RunningDoyen process) throws InterruptedException {
        Matcher ports = PORTS.matcher(process.awaitOutput("API is on port"));
        if (!ports.find()) {
            throw new AssertionError("the program did not print its ports");
        }
        return ports;
    }

    private static Matcher await(BufferedReader out, Pattern pattern) throws IOException {
        var before = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                return matcher;
            }
            before.append(line).append('\n');
        }
        throw new AssertionError("the program printed only: " + before);
    }

    /** Scrapes again until the scrape fulfils the condition. The time limit of the test interrupts the thread. */
    private static Scrape await(URI uri, Predicate<Scrape> condition) throws IOException, InterruptedException {
        while (true) {
            String text = HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
            Scrape scrape = Scrape.of(text);
            if (condition.test(scrape)) {
                return scrape;
            }
            Thread.sleep(50);
        }
    }
}
