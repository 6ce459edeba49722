package dev.doyen.stores.kubernetes.rest;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/**
 * Requests to an API server, by hand: a client library costs a sidecar more start time and memory than it has
 * (docs/decisions/0009).
 *
 * <p>HTTP/1.1, so that no request waits behind another on one connection, and watches are not limited by how many streams a
 * connection carries; watches have a client, and so connections, of their own. Nothing is sent twice: Java's client repeats
 * a GET whose kept connection turned out to be closed, and nothing else.
 *
 * <p>Java's clients end with their last reference: there is nothing to close.
 *
 * <p>Threads: any. Errors: futures fail with what the connection failed with; what the server refuses is an answer. A token
 * that cannot be read is a {@link dev.doyen.store.StoreUnavailableException}, thrown at once.
 */
public final class ApiServer {

    private static final int OK = 200;

    private final Cluster cluster;
    private final String userAgent;
    private final Duration timeout;
    private final int mostBytes;
    private final HttpClient calls;
    private final HttpClient watches;

    /**
     * For one server and one account.
     *
     * @param timeout of a request, in which it may have to connect; of a watch, until it begins
     * @param mostBytes of an answer; a longer one is none
     */
    public ApiServer(Cluster cluster, String userAgent, Duration timeout, int mostBytes) {
        this.cluster = cluster;
        this.userAgent = userAgent;
        this.timeout = timeout;
        this.mostBytes = mostBytes;
        this.calls = client(cluster);
        this.watches = client(cluster);
    }

    public Cluster cluster() {
        return cluster;
    }

    public CompletableFuture<Answer> get(String path) {
        return answer(request(path, timeout).GET());
    }

    /**
     * A request with a body.
     *
     * @param contentType of the body, such as {@code application/json}
     */
    public CompletableFuture<Answer> send(String method, String path, String contentType, byte[] body) {
        return send(method, path, contentType, body, timeout);
    }

    public CompletableFuture<Answer> send(
            String method, String path, String contentType, byte[] body, Duration within) {
        return answer(request(path, within)
                .header("Content-Type", contentType)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    /**
     * Changes, a JSON object on each line, until the server ends it; the future is completed only then, or when the server
     * refuses it, and then there are no lines. To be ended before by cancelling the future.
     */
    public CompletableFuture<HttpResponse<Void>> watch(String path, Flow.Subscriber<String> lines) {
        return watches.sendAsync(
                request(path, timeout).GET().build(),
                head -> head.statusCode() == OK
                        ? BodySubscribers.fromLineSubscriber(lines)
                        : BodySubscribers.discarding());
    }

    private CompletableFuture<Answer> answer(HttpRequest.Builder request) {
        return calls.sendAsync(request.build(), head -> new BoundedBody(mostBytes))
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

    private HttpRequest.Builder request(String path, Duration within) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(cluster.server() + path))
                .timeout(within)
                .header("User-Agent", userAgent)
                .header("Accept", "application/json");
        cluster.token().header().ifPresent(token -> request.header("Authorization", token));
        return request;
    }

    private static HttpClient client(Cluster cluster) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(cluster.tls())
                .build();
    }
}
