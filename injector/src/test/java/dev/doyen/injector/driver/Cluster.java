package dev.doyen.injector.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.injector.Yamls;
import dev.doyen.injector.chart.Chart;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A real API server with its controllers, the chart's objects in it, and real injector processes beside it. */
final class Cluster implements AutoCloseable {

    static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final long WITHIN_SECONDS = 30;

    private final Path directory;
    private final KubernetesServer server;
    private final KubernetesApi admin;
    private final List<ServerProcess> injectors = new ArrayList<>();

    private Cluster(Path directory, KubernetesServer server) throws Exception {
        this.directory = directory;
        this.server = server;
        admin = api(Files.writeString(directory.resolve("admin-token"), server.adminToken()));
    }

    /** With the chart's roles; the webhook's configuration comes with {@link #startInjector}. */
    static Cluster start(Path directory) throws Exception {
        var server = KubernetesServer.start(directory);
        try {
            server.startControllerManager();
            var cluster = new Cluster(directory, server);
            cluster.make("/api/v1/namespaces", "{metadata: {name: " + Chart.NAMESPACE + "}}");
            for (var each : Chart.render()) {
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

    /** The program, as the chart starts it and with its rights; only that the API server finds it by URL. */
    ServerProcess startInjector(String... more) throws Exception {
        var token = Files.writeString(
                directory.resolve("injector-token"), server.serviceAccountToken(Chart.NAMESPACE, "elector-injector"));
        return startInjector("elector-injector", token, more);
    }

    /** The program, as whom the token says, with a webhook configuration of this name. */
    ServerProcess startInjector(String configuration, Path token, String... more) throws Exception {
        var process = ServerProcess.start(directory.resolve("injector-" + configuration + ".log"), port -> {
            configureWebhook(configuration, port);
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
                    "--webhook-configuration=" + configuration,
                    "--certificate-secret=" + configuration + "-certificate",
                    "--certificate-host=localhost",
                    "--listen=localhost:" + port,
                    "--image=doyen-elector:1"));
            command.addAll(List.of(more));
            return command;
        });
        injectors.add(process);
        return process;
    }

    /** The chart's configuration under another name, and with a URL: no proxy here leads to a Service. */
    private void configureWebhook(String name, int port) {
        ObjectNode configuration = Chart.the(Chart.render(), "MutatingWebhookConfiguration", "elector-injector")
                .deepCopy();
        configuration.withObject("/metadata").put("name", name);
        ((ObjectNode) configuration.at("/webhooks/0/clientConfig")).remove("service");
        configuration.withObject("/webhooks/0/clientConfig").put("url", "https://localhost:" + port + "/inject");
        try {
            make(WEBHOOKS, configuration);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    Path adminToken() {
        return directory.resolve("admin-token");
    }

    KubernetesApi admin() {
        return admin;
    }

    /** The API as the holder of this token sees it. */
    KubernetesApi api(Path token) throws IOException {
        return new KubernetesApi(new ClusterAccess(URI.create(server.url()), server.caFile(), token));
    }

    KubernetesApi asServiceAccount(String namespace, String name) throws Exception {
        return api(Files.writeString(
                directory.resolve("token-" + namespace + "-" + name), server.serviceAccountToken(namespace, name)));
    }

    void make(String collection, String yaml) throws Exception {
        make(collection, Yamls.parse(yaml).get(0));
    }

    JsonNode make(String collection, JsonNode object) throws Exception {
        return admin.post(collection, object).expect("making " + object, 201);
    }

    /** Returns the first object of the list, as it is or as it becomes, that is as wanted; fails after half a minute. */
    JsonNode await(String collection, String selection, Predicate<JsonNode> wanted) throws Exception {
        var found = new CompletableFuture<JsonNode>();
        var watch = admin.watch(collection + "?watch=true&timeoutSeconds=60" + selection, new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(String line) {
                try {
                    var object = KubernetesApi.parse(line).path("object");
                    if (wanted.test(object)) {
                        found.complete(object);
                    }
                } catch (Exception | Error e) {
                    found.completeExceptionally(e);
                }
            }

            @Override
            public void onError(Throwable fault) {
                found.completeExceptionally(fault);
            }

            @Override
            public void onComplete() {
                found.completeExceptionally(new AssertionError("the watch ended"));
            }
        });
        try {
            return found.get(WITHIN_SECONDS, TimeUnit.SECONDS);
        } finally {
            watch.cancel(true);
        }
    }

    @Override
    public void close() {
        injectors.forEach(ServerProcess::close);
        server.close();
    }
}
