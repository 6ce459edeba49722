package dev.doyen.stores.kubernetes;

import dev.doyen.stores.kubernetes.rest.Answer;
import dev.doyen.stores.kubernetes.rest.ApiServer;
import dev.doyen.stores.kubernetes.rest.Cluster;
import dev.doyen.stores.kubernetes.rest.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** The seven requests that the store sends to an API server. Threads and errors: see {@link ApiServer}. */
final class KubernetesApi {

    static final String LEASES = "leases.coordination.k8s.io";

    private static final String USER_AGENT = "doyen (java; lease election)";

    /**
     * The limit in bytes for an answer. The limit suffices for a list of one Lease, because etcd limits the size of an
     * object.
     */
    private static final int MAX_ANSWER = 4 * 1024 * 1024;

    /**
     * The timeout of a review. This timeout is longer than the default timeout of other requests, because the first
     * review also waits for the connection.
     */
    static final Duration REVIEWED_WITHIN = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final Duration timeout;
    private final ApiServer server;

    KubernetesApi(Cluster cluster, Duration timeout) {
        this.cluster = cluster;
        this.timeout = timeout;
        this.server = new ApiServer(cluster, USER_AGENT, timeout, MAX_ANSWER);
    }

    Cluster cluster() {
        return cluster;
    }

    /**
     * Lists the Lease of this name, and returns a list with at most one element.
     *
     * <p>Even an empty list has a resource version. If the list is empty, the Lease does not exist at that version
     * (rule K4). The server reads only one key to answer the request.
     */
    CompletableFuture<Answer> list(String name) {
        return server.get(leases() + "?fieldSelector=metadata.name%3D" + name);
    }

    CompletableFuture<Answer> create(JsonObject lease) {
        return send("POST", leases(), lease, timeout);
    }

    /** Writes {@code lease} if the server's object still has the resource version in {@code lease}. */
    CompletableFuture<Answer> update(String name, JsonObject lease) {
        return send("PUT", leases() + "/" + name, lease, timeout);
    }

    CompletableFuture<Answer> pod(String name) {
        return server.get("/api/v1/namespaces/" + cluster.namespace() + "/pods/" + name);
    }

    /** Asks the server whether this account may perform an action. Every account may send this request. */
    CompletableFuture<Answer> mayI(JsonObject resourceAttributes) {
        return review("SelfSubjectAccessReview", JsonObject.EMPTY.with("resourceAttributes", resourceAttributes));
    }

    /** Asks the server for all rights of this account in the namespace. Every account may send this request. */
    CompletableFuture<Answer> whatMayI() {
        return review("SelfSubjectRulesReview", JsonObject.EMPTY.with("namespace", cluster.namespace()));
    }

    /** Streams changes of this Lease for {@code atMost}, as {@link ApiServer#watch} does. */
    CompletableFuture<HttpResponse<Void>> watch(
            String name, String resourceVersion, Duration atMost, Flow.Subscriber<String> lines) {
        return server.watch(
                leases() + "?watch=1&allowWatchBookmarks=true&fieldSelector=metadata.name%3D" + name
                        + "&resourceVersion=" + resourceVersion + "&timeoutSeconds=" + atMost.toSeconds(),
                lines);
    }

    private CompletableFuture<Answer> review(String kind, JsonObject spec) {
        String path = "/apis/authorization.k8s.io/v1/" + kind.toLowerCase(Locale.ROOT) + "s";
        JsonObject review = JsonObject.EMPTY
                .with("apiVersion", "authorization.k8s.io/v1")
                .with("kind", kind)
                .with("spec", spec);
        return send("POST", path, review, REVIEWED_WITHIN);
    }

    private CompletableFuture<Answer> send(String method, String path, JsonObject body, Duration within) {
        return server.send(method, path, "application/json", body.bytes(), within);
    }

    private String leases() {
        return "/apis/coordination.k8s.io/v1/namespaces/" + cluster.namespace() + "/leases";
    }
}
