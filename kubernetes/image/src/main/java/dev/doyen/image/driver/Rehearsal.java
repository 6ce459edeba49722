package dev.doyen.image.driver;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.image.Program;
import dev.doyen.injector.driver.CertificateMaker;
import dev.doyen.stores.kubernetes.rest.PemTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs a program once with the tasks that the program will have in a pod.
 *
 * <p>This run is the training run (JEP 483) for the class-data archive. The JVM records the classes that it loads. If
 * the program fails at a task, no image is built.
 */
final class Rehearsal {

    private static final String NAMESPACE = "rehearsal";
    private static final Duration CERTIFICATE_LIFE = Duration.ofDays(1);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/" + NAMESPACE + "/leases/";
    private static final DateTimeFormatter MICRO_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");
    private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods/";

    private final Path home;
    private final Path scratch;
    private final List<String> java;

    /**
     * @param home the image's working directory
     * @param scratch a folder for the files of the rehearsal
     * @param java the part of the command before the program's arguments
     */
    Rehearsal(Path home, Path scratch, List<String> java) {
        this.home = home;
        this.scratch = scratch;
        this.java = java;
    }

    void of(Program program) throws Exception {
        switch (program) {
            case HUB -> new HubRehearsal(home, scratch, java).play();
            case DOYEN ->
                new HubRehearsal(
                                home,
                                scratch,
                                Stream.concat(java.stream(), Stream.of("hub")).toList())
                        .play();
            case RING -> new RingRehearsal(home, scratch, java).play();
            case ELECTOR, INJECTOR -> onCluster(program);
        }
    }

    private void onCluster(Program program) throws Exception {
        var certificate =
                new CertificateMaker(List.of("localhost"), CERTIFICATE_LIFE).make(Instant.now(), Optional.empty());
        try (var cluster = new StandInCluster(certificate)) {
            Files.writeString(scratch.resolve("ca.crt"), certificate.authorities());
            Files.writeString(scratch.resolve("token"), "rehearsal");
            if (program == Program.INJECTOR) {
                injector(cluster);
            } else {
                elector(cluster);
            }
        }
    }

    /**
     * Rehearses the elector.
     *
     * <p>The elector takes over the leadership from another pod. This method sends GET requests, reads the event
     * stream, kills the app, and starts the app again. Then this method sends a resign command, and ends the elector
     * with SIGTERM.
     */
    private void elector(StandInCluster cluster) throws Exception {
        var kubeconfig = Files.writeString(scratch.resolve("kubeconfig"), """
            current-context: rehearsal
            contexts: [{name: rehearsal, context: {cluster: it, user: we, namespace: %s}}]
            clusters: [{name: it, cluster: {server: "%s", certificate-authority: "%s"}}]
            users: [{name: we, user: {tokenFile: "%s"}}]
            """.formatted(
                        NAMESPACE, cluster.url(), scratch.resolve("ca.crt"), scratch.resolve("token")));
        cluster.put(LEASES + "orders", lease("pod-b"));
        var pidFile = scratch.resolve("app.pid");
        int port = freePort();
        int probePort = freePort();
        var client = client(HttpClient.newBuilder());
        var root = URI.create("http://127.0.0.1:" + port + "/");
        var probes = URI.create("http://127.0.0.1:" + probePort + "/");
        try (var app = startApp(pidFile);
                var elector = RunningProgram.start(
                        home,
                        scratch.resolve("elector.log"),
                        Map.of("ELECTOR_LOG_FORMAT", "json", "POD_NAME", "pod-a", "POD_NAMESPACE", NAMESPACE),
                        java,
                        List.of(
                                "--election=orders",
                                "--election-namespace=" + NAMESPACE,
                                "--http=localhost:" + port,
                                "--probe-address=0.0.0.0:" + probePort,
                                "--admin-commands=loopback",
                                "--app-pid-file=" + pidFile,
                                "--store=kubernetes:" + NAMESPACE + "?kubeconfig=" + kubeconfig))) {
            elector.whileItRuns(
                    "GET / names the other pod", () -> get(client, root).contains("\"pod-b\""));
            cluster.put(LEASES + "orders", lease(""));
            elector.whileItRuns("GET / names the pod", () -> get(client, root).contains("\"pod-a\""));
            try (var stream = client.send(request(root.resolve("/sse")).build(), BodyHandlers.ofLines())
                    .body()) {
                if (stream.noneMatch(line -> line.contains("pod-a"))) {
                    throw new IllegalStateException("the stream of the rehearsed elector does not name the pod");
                }
            }
            for (var each : List.of("/healthz", "/readyz", "/metrics")) {
                get(client, probes.resolve(each));
            }
            get(client, root.resolve("/v1/elections/orders"));
            app.kill();
            elector.whileItRuns("GET / names nobody", () -> !get(client, root).contains("\"pod-"));
            try (var back = startApp(pidFile)) {
                back.whileItRuns(
                        "GET / names the pod again", () -> get(client, root).contains("\"pod-a\""));
            }
            client.send(
                    request(root.resolve("/v1/elections/orders/resign"))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.discarding());
            elector.endByTerm();
        }
    }

    /**
     * Rehearses the injector.
     *
     * <p>The injector creates its certificate and injects the elector into a pod. Then the injector binds a role to the
     * service account of the pod, and labels the leader's pod.
     */
    private void injector(StandInCluster cluster) throws Exception {
        var json = new ObjectMapper();
        var webhooks = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/doyen-injector";
        var configuration = JsonNodeFactory.instance.objectNode();
        configuration.putArray("webhooks").addObject().putObject("clientConfig");
        cluster.put(webhooks, configuration);
        int port = freePort();
        try (var injector = RunningProgram.start(
                home,
                scratch.resolve("injector.log"),
                Map.of("POD_NAMESPACE", "doyen-system"),
                java,
                List.of(
                        "--image=doyen-elector",
                        "--listen=0.0.0.0:" + port,
                        "--certificate-host=localhost",
                        "--check-interval=1s",
                        "--server=" + cluster.url(),
                        "--server-ca-file=" + scratch.resolve("ca.crt"),
                        "--token-file=" + scratch.resolve("token")))) {
            var announced = cluster.await(webhooks, "/webhooks/0/clientConfig/caBundle")
                    .at("/webhooks/0/clientConfig/caBundle")
                    .asText();
            var client = client(HttpClient.newBuilder()
                    .sslContext(PemTls.of(
                            Optional.of(Base64.getDecoder().decode(announced)), Optional.empty(), Optional.empty())));
            var webhook = URI.create("https://localhost:" + port + "/");
            injector.whileItRuns("the webhook serves", () -> isWell(client, webhook.resolve("/healthz")));
            var pod = json.createObjectNode();
            var metadata = pod.putObject("metadata").put("name", "pod-a").put("namespace", NAMESPACE);
            metadata.putObject("labels").put("elector.doyen.dev/inject", "true");
            metadata.putObject("annotations").put("elector.doyen.dev/election", "orders");
            pod.putObject("spec")
                    .putArray("containers")
                    .addObject()
                    .put("name", "app")
                    .put("image", "app");
            var review = json.createObjectNode()
                    .put("apiVersion", "admission.k8s.io/v1")
                    .put("kind", "AdmissionReview");
            var question = review.putObject("request").put("uid", "1").put("namespace", NAMESPACE);
            question.putObject("resource").put("group", "").put("version", "v1").put("resource", "pods");
            question.set("object", pod);
            var answer = client.send(
                    request(webhook.resolve("/inject"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(review.toString()))
                            .build(),
                    BodyHandlers.ofString());
            if (!answer.body().contains("\"patch\"")) {
                throw new IllegalStateException("the rehearsed webhook did not change the pod: " + answer.body());
            }
            metadata.withObject("/annotations").put("elector.doyen.dev/status", "injected");
            pod.withObject("/spec").put("serviceAccountName", "default");
            pod.putObject("status").put("phase", "Running");
            cluster.put(PODS + "pod-a", pod);
            var lease = json.createObjectNode();
            lease.putObject("metadata").put("namespace", NAMESPACE);
            lease.putObject("spec").put("holderIdentity", "pod-a");
            cluster.put(LEASES + "orders", lease);
            cluster.await(PODS + "pod-a", "/metadata/labels/elector.doyen.dev~1leader");
            injector.endByTerm();
        }
    }

    /**
     * Starts a process that ends at the latest when this JVM ends.
     *
     * <p>The process reads from a pipe of this JVM, and ends when the pipe is closed.
     */
    private RunningProgram startApp(Path pidFile) throws IOException {
        var app = RunningProgram.start(home, scratch.resolve("app.log"), Map.of(), List.of("cat"), List.of());
        Files.writeString(pidFile, Long.toString(app.pid()));
        return app;
    }

    /**
     * Returns a Lease in the form in which another elector writes it. An empty holder means that the other elector has
     * released the Lease.
     */
    private static ObjectNode lease(String holder) {
        var lease = JsonNodeFactory.instance.objectNode();
        lease.putObject("spec")
                .put("holderIdentity", holder)
                .put("leaseDurationSeconds", 15)
                .put("renewTime", MICRO_TIME.format(Instant.now().atOffset(ZoneOffset.UTC)));
        return lease;
    }

    private static HttpClient client(HttpClient.Builder builder) {
        return builder.version(HttpClient.Version.HTTP_1_1).build();
    }

    private static HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(ANSWER_WITHIN);
    }

    /** Sends a GET request, and returns the body of the response. Throws IOException if the status is not 200. */
    private static String get(HttpClient client, URI uri) throws IOException, InterruptedException {
        var answer = client.send(request(uri).build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(uri + " answered " + answer.statusCode());
        }
        return answer.body();
    }

    private static boolean isWell(HttpClient client, URI uri) throws IOException, InterruptedException {
        return client.send(request(uri).build(), BodyHandlers.discarding()).statusCode() == 200;
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
