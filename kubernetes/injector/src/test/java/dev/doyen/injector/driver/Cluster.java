package dev.doyen.injector.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.injector.Yamls;
import dev.doyen.injector.chart.Chart;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A real API server with its controllers, the chart's roles, and real injector processes. */
final class Cluster implements AutoCloseable {

    static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final long WITHIN_SECONDS = 300;
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(90);

    private final Path directory;
    private final KubernetesServer server;
    private final KubernetesApi admin;
    private final List<ServerProcess> injectors = new ArrayList<>();

    private Cluster(Path directory, KubernetesServer server) throws Exception {
        this.directory = directory;
        this.server = server;
        admin = api(Files.writeString(directory.resolve("admin-token"), server.adminToken()));
    }

    /** Starts an API server with the chart's roles. {@link #startInjector} adds the configuration of the webhook. */
    static Cluster start(Path directory) throws Exception {
        return start(directory, Chart.render());
    }

    /** Starts an API server with the roles that these objects contain. */
    static Cluster start(Path directory, List<JsonNode> chart) throws Exception {
        var server = KubernetesServer.start(directory);
        try {
            server.startControllerManager();
            var cluster = new Cluster(directory, server);
            cluster.make("/api/v1/namespaces", "{metadata: {name: " + Chart.NAMESPACE + "}}");
            for (var each : chart) {
                var path = collection(each.path("kind").asText());
                if (!path.isEmpty()) {
                    cluster.make(path, each);
                }
            }
            return cluster;
        } catch (Exception | Error e) {
            server.close();
            throw e;
        }
    }

    private static String collection(String kind) {
        return Map.of(
                        "ServiceAccount",
                        "/api/v1/namespaces/" + Chart.NAMESPACE + "/serviceaccounts",
                        "ClusterRole",
                        RBAC + "/clusterroles",
                        "ClusterRoleBinding",
                        RBAC + "/clusterrolebindings",
                        "Role",
                        RBAC + "/namespaces/" + Chart.NAMESPACE + "/roles",
                        "RoleBinding",
                        RBAC + "/namespaces/" + Chart.NAMESPACE + "/rolebindings")
                .getOrDefault(kind, "");
    }

    /**
     * Starts the injector with the same rights as in the chart. The API server reaches the injector by a URL instead of
     * a Service.
     */
    ServerProcess startInjector(String... more) throws Exception {
        return startInjector("elector-injector", injectorToken(), more);
    }

    /**
     * Starts one more replica of the injector, under this name. The replica uses the webhook configuration of {@link
     * #startInjector}.
     */
    ServerProcess startReplica(String name, String... more) throws Exception {
        var token = injectorToken();
        return started(ServerProcess.start(log(name), port -> {
            var command = new ArrayList<>(List.of("env", "POD_NAME=" + name));
            command.addAll(command("elector-injector", token, port, more));
            return command;
        }));
    }

    /**
     * Returns the log file of a replica or of an injector.
     *
     * @param name the name of the replica, or of the injector's webhook configuration
     */
    Path log(String name) {
        return directory.resolve("injector-" + name + ".log");
    }

    /** Waits until the log contains this text. */
    void awaitLog(String name, String text) throws Exception {
        long start = System.nanoTime();
        while (!Files.readString(log(name)).contains(text)) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(WITHIN_SECONDS)) {
                throw new AssertionError("no \"" + text + "\" in " + Files.readString(log(name)));
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private Path injectorToken() throws Exception {
        return Files.writeString(
                directory.resolve("injector-token"), server.serviceAccountToken(Chart.NAMESPACE, "elector-injector"));
    }

    private synchronized ServerProcess started(ServerProcess process) {
        injectors.add(process);
        return process;
    }

    /**
     * Starts the injector with the rights of this token.
     *
     * @param configuration the name of the injector's own webhook configuration
     */
    ServerProcess startInjector(String configuration, Path token, String... more) throws Exception {
        return started(ServerProcess.start(log(configuration), port -> {
            configureWebhook(configuration, port);
            return command(configuration, token, port, more);
        }));
    }

    private List<String> command(String configuration, Path token, int port, String... more) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.doyen.injector.cli.Injector",
                "--server=" + server.url(),
                "--server-ca-file=" + server.caFile(),
                "--token-file=" + token,
                "--namespace=" + Chart.NAMESPACE,
                "--election=elector-injector",
                "--webhook-configuration=" + configuration,
                "--certificate-secret=" + configuration + "-certificate",
                "--certificate-host=localhost",
                "--listen=localhost:" + port,
                "--image=doyen-elector:1"));
        command.addAll(List.of(more));
        return command;
    }

    /**
     * Creates the chart's webhook configuration under another name.
     *
     * <p>The configuration contains a URL, because this cluster has no proxy for Services.
     */
    void configureWebhook(String name, int port) {
        ObjectNode configuration = Chart.the(Chart.render(), "MutatingWebhookConfiguration", "elector-injector")
                .deepCopy();
        configuration.withObject("/metadata").put("name", name);
        // On a busy machine, a call of the webhook can take longer than the timeout in the chart. 30 s is the maximum.
        ((ObjectNode) configuration.at("/webhooks/0")).put("timeoutSeconds", 30);
        ((ObjectNode) configuration.at("/webhooks/0/clientConfig")).remove("service");
        configuration.withObject("/webhooks/0/clientConfig").put("url", "https://localhost:" + port + "/inject");
        try {
            make(WEBHOOKS, configuration);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the authorities into the webhook configuration in the same way as cert-manager. */
    void trust(String configuration, String authorities) throws Exception {
        change(
                configuration,
                webhook -> webhook.withObject("/clientConfig")
                        .put("caBundle", authorities.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Changes the webhook of a configuration. */
    void change(String configuration, Consumer<ObjectNode> change) throws Exception {
        ObjectNode changed = admin.get(WEBHOOKS + "/" + configuration).body().deepCopy();
        change.accept((ObjectNode) changed.at("/webhooks/0"));
        admin.put(WEBHOOKS + "/" + configuration, changed).expect("changing the webhook", 200);
    }

    KubernetesServer server() {
        return server;
    }

    Path adminToken() {
        return directory.resolve("admin-token");
    }

    KubernetesApi admin() {
        return admin;
    }

    /** Returns a client with the rights of this token. */
    KubernetesApi api(Path token) throws IOException {
        return new KubernetesApi(
                new ClusterAccess(URI.create(server.url()), server.caFile(), token, Chart.NAMESPACE).cluster(),
                ANSWER_TIMEOUT);
    }

    KubernetesApi asServiceAccount(String namespace, String name) throws Exception {
        return api(Files.writeString(
                directory.resolve("token-" + namespace + "-" + name), server.serviceAccountToken(namespace, name)));
    }

    void make(String collection, String yaml) throws Exception {
        make(collection, Yamls.parse(yaml).get(0));
    }

    /**
     * Creates a pod that requests an elector. The pod, its service account and the election have this name.
     *
     * <p>Returns after the account has the right to take part.
     */
    void makeElectingPod(String name) throws Exception {
        make("/api/v1/namespaces/default/serviceaccounts", "{metadata: {name: " + name + "}}");
        make("/api/v1/namespaces/default/pods", """
                metadata:
                  name: %1$s
                  labels: {elector.doyen.dev/inject: "true"}
                  annotations: {elector.doyen.dev/election: %1$s}
                spec:
                  serviceAccountName: %1$s
                  containers: [{name: app, image: shop}]
                """.formatted(name));
        await(
                RBAC + "/namespaces/default/rolebindings",
                "",
                binding -> binding.at("/subjects/0/name").asText().equals(name));
    }

    JsonNode make(String collection, JsonNode object) throws Exception {
        return admin.post(collection, object).expect("making " + object, 201);
    }

    /**
     * Waits until the condition is true for an object of the collection, and returns this object.
     *
     * <p>The method fails after a timeout. The API server ends each watch after a while, and ends all watches when the
     * server stops. A new watch then receives all objects again.
     *
     * @param selection more parameters of the request, each after an ampersand
     */
    JsonNode await(String collection, String selection, Predicate<JsonNode> condition) throws Exception {
        long start = System.nanoTime();
        long left = WITHIN_SECONDS;
        while (left > 0) {
            var found = new CompletableFuture<Optional<JsonNode>>();
            var watch = admin.watch(
                    collection + "?watch=true&timeoutSeconds=" + WITHIN_SECONDS + selection,
                    new FirstMatch(condition, found));
            watch.whenComplete((answer, fault) -> found.complete(Optional.empty()));
            try {
                var match = found.get(left, TimeUnit.SECONDS);
                if (match.isPresent()) {
                    return match.get();
                }
            } finally {
                watch.cancel(true);
            }
            LockSupport.parkNanos(100_000_000);
            left = WITHIN_SECONDS - TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        }
        throw new AssertionError("no object of " + collection + selection + " matched within " + WITHIN_SECONDS + " s");
    }

    /**
     * Completes the future with the first object for which the condition is true.
     *
     * <p>If the watch ends before such an object arrives, the future completes with an empty result.
     */
    private record FirstMatch(Predicate<JsonNode> condition, CompletableFuture<Optional<JsonNode>> found)
            implements Flow.Subscriber<String> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            try {
                var object = KubernetesApi.parse(line).path("object");
                if (condition.test(object)) {
                    found.complete(Optional.of(object));
                }
            } catch (Exception | Error e) {
                found.completeExceptionally(e);
            }
        }

        @Override
        public void onError(Throwable fault) {
            found.complete(Optional.empty());
        }

        @Override
        public void onComplete() {
            found.complete(Optional.empty());
        }
    }

    @Override
    public void close() {
        injectors.forEach(ServerProcess::close);
        server.close();
    }

    /** Returns a pod with the injector's label and without an owner. */
    static JsonNode labelledPod() {
        return Yamls.parse("""
                metadata:
                  name: asked
                  labels: {elector.doyen.dev/inject: "true"}
                  annotations: {elector.doyen.dev/election: orders}
                spec:
                  containers: [{name: app, image: shop}]
                """).get(0);
    }
}
