package dev.doyen.stores.kubernetes;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * The seven requests that Doyen makes of an API server, by hand: a client library costs a sidecar more start time and memory
 * than it has (docs/decisions/0009).
 *
 * <p>HTTP/1.1, so that no request waits behind another on one connection; watches have a client, and so connections, of
 * their own. Nothing is sent twice: Java's client repeats a GET whose kept connection turned out to be closed, and nothing
 * else.
 *
 * <p>Java's clients end with their last reference: there is nothing to close.
 *
 * <p>Threads: any. Errors: futures fail with what the connection failed with; what the server refuses is an answer.
 */
final class KubernetesApi {

    static final String LEASES = "leases.coordination.k8s.io";

    private static final String USER_AGENT = "doyen (java; lease election)";

    /** A list of one Lease: what etcd takes for an object, and what is around it. */
    private static final int MAX_ANSWER = 4 * 1024 * 1024;

    /** Reviews are asked when something is opened, which may wait for the first connection. */
    static final Duration REVIEWED_WITHIN = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final Duration timeout;
    private final HttpClient calls;
    private final HttpClient watches;

    KubernetesApi(Cluster cluster, Duration timeout) {
        this.cluster = cluster;
        this.timeout = timeout;
        this.calls = client(cluster);
        this.watches = client(cluster);
    }

    Cluster cluster() {
        return cluster;
    }

    /**
     * The Lease of this name in a list of one or none. A list, because it says of a Lease that is not there up to which
     * resource version it was not (rule K4); the server reads one key for it, as for a get.
     */
    CompletableFuture<Answer> list(String name) {
        return call("GET", leases() + "?fieldSelector=metadata.name%3D" + name, Optional.empty());
    }

    CompletableFuture<Answer> create(JsonObject lease) {
        return call("POST", leases(), Optional.of(lease));
    }

    /** Written if the server still has the resource version that {@code lease} names. */
    CompletableFuture<Answer> update(String name, JsonObject lease) {
        return call("PUT", leases() + "/" + name, Optional.of(lease));
    }

    CompletableFuture<Answer> pod(String name) {
        return call("GET", "/api/v1/namespaces/" + cluster.namespace() + "/pods/" + name, Optional.empty());
    }

    /** Whether one may do something; every account may ask this. */
    CompletableFuture<Answer> mayI(JsonObject resourceAttributes) {
        return review("SelfSubjectAccessReview", JsonObject.EMPTY.with("resourceAttributes", resourceAttributes));
    }

    /** All that one may do in the namespace, as far as the server can say; every account may ask this. */
    CompletableFuture<Answer> whatMayI() {
        return review("SelfSubjectRulesReview", JsonObject.EMPTY.with("namespace", cluster.namespace()));
    }

    /**
     * Changes of this Lease, a JSON object on each line, until the server ends it after {@code atMost}; the future is
     * completed only then. To be ended before by cancelling the future.
     */
    CompletableFuture<HttpResponse<Void>> watch(
            String name, String resourceVersion, Duration atMost, Flow.Subscriber<String> lines) {
        String path = leases() + "?watch=1&allowWatchBookmarks=true&fieldSelector=metadata.name%3D" + name
                + "&resourceVersion=" + resourceVersion + "&timeoutSeconds=" + atMost.toSeconds();
        return watches.sendAsync(
                request("GET", path, Optional.empty(), timeout), HttpResponse.BodyHandlers.fromLineSubscriber(lines));
    }

    private CompletableFuture<Answer> review(String kind, JsonObject spec) {
        String path = "/apis/authorization.k8s.io/v1/" + kind.toLowerCase(Locale.ROOT) + "s";
        JsonObject review = JsonObject.EMPTY
                .with("apiVersion", "authorization.k8s.io/v1")
                .with("kind", kind)
                .with("spec", spec);
        return call("POST", path, Optional.of(review), REVIEWED_WITHIN);
    }

    private CompletableFuture<Answer> call(String method, String path, Optional<JsonObject> body) {
        return call(method, path, body, timeout);
    }

    private CompletableFuture<Answer> call(String method, String path, Optional<JsonObject> body, Duration within) {
        return calls.sendAsync(request(method, path, body, within), head -> new BoundedBody(MAX_ANSWER))
                .thenApply(response -> {
                    if (response.statusCode() == 401) {
                        cluster.token().refused();
                    }
                    return new Answer(
                            response.statusCode(),
                            response.body(),
                            response.headers().firstValue("Retry-After"));
                });
    }

    private HttpRequest request(String method, String path, Optional<JsonObject> body, Duration within) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(cluster.server() + path))
                .timeout(within)
                .header("User-Agent", USER_AGENT)
                .header("Accept", "application/json");
        cluster.token().header().ifPresent(token -> request.header("Authorization", token));
        body.ifPresent(object -> request.header("Content-Type", "application/json"));
        return request.method(
                        method,
                        body.map(object -> HttpRequest.BodyPublishers.ofByteArray(object.bytes()))
                                .orElseGet(HttpRequest.BodyPublishers::noBody))
                .build();
    }

    private String leases() {
        return "/apis/coordination.k8s.io/v1/namespaces/" + cluster.namespace() + "/leases";
    }

    /** Each request has its own time, in which it may have to connect. */
    private static HttpClient client(Cluster cluster) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(cluster.tls())
                .build();
    }
}
