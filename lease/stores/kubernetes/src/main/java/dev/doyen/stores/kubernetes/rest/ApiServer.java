package dev.doyen.stores.kubernetes.rest;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to an API server with Java's HTTP client.
 *
 * <p>A client library would exceed the budget of a sidecar for start time and memory (docs/decisions/0009).
 *
 * <p>The client uses HTTP/1.1. So no request waits for another request on the same connection, and HTTP/2's limit on
 * streams does not apply to watches. A watch has its own connection, which resumes the TLS session of the first
 * connection. The client sends no request twice, with one exception: Java's client repeats a GET if the server has
 * closed the reused connection.
 *
 * <p>The class has no close method, because a JDK HTTP client ends when no reference to it remains.
 *
 * <p>Threads: any. Errors: a future fails if the connection fails. A refusal by the server completes the future with an
 * {@link Answer}. If the token file cannot be read, the call throws {@link dev.doyen.store.StoreUnavailableException}
 * at once.
 */
public final class ApiServer {

    private static final int OK = 200;

    private final Cluster cluster;
    private final String userAgent;
    private final Duration timeout;
    private final int mostBytes;
    private final RenewedHttpClient http;

    /**
     * Creates a client for one server and one account.
     *
     * @param timeout the limit for a request, including the connection setup and the answer's body; for a watch, the
     *     limit until the stream begins
     * @param mostBytes the limit in bytes for an answer. A longer answer fails the request
     */
    public ApiServer(Cluster cluster, String userAgent, Duration timeout, int mostBytes) {
        this.cluster = cluster;
        this.userAgent = userAgent;
        this.timeout = timeout;
        this.mostBytes = mostBytes;
        this.http = new RenewedHttpClient(() -> client(cluster));
    }

    public Cluster cluster() {
        return cluster;
    }

    /** Sends a GET request. */
    public CompletableFuture<Answer> get(String path) {
        return answer(request(path, timeout).GET(), timeout);
    }

    /**
     * Sends a request with a body. The limit for the request is the timeout of this client.
     *
     * @param contentType the body's type, such as {@code application/json}
     */
    public CompletableFuture<Answer> send(String method, String path, String contentType, byte[] body) {
        return send(method, path, contentType, body, timeout);
    }

    public CompletableFuture<Answer> send(
            String method, String path, String contentType, byte[] body, Duration within) {
        return answer(
                request(path, within)
                        .header("Content-Type", contentType)
                        .method(method, HttpRequest.BodyPublishers.ofByteArray(body)),
                within);
    }

    /**
     * Streams changes, one JSON object per line, until the server ends the stream.
     *
     * <p>The future completes when the stream ends, or when the server refuses it. If the server refuses the stream,
     * the response has no lines. Cancel the future to end the stream early.
     */
    public CompletableFuture<HttpResponse<Void>> watch(String path, Flow.Subscriber<String> lines) {
        return http.send(
                request(path, timeout).GET().build(),
                head -> head.statusCode() == OK
                        ? BodySubscribers.fromLineSubscriber(lines)
                        : BodySubscribers.discarding());
    }

    private CompletableFuture<Answer> answer(HttpRequest.Builder request, Duration within) {
        CompletableFuture<HttpResponse<String>> response =
                http.send(request.build(), head -> new BoundedBody(mostBytes));
        // The timeout of Java's client covers only the time until the headers arrive.
        CompletableFuture<Answer> answer = response.thenApply(this::read)
                .orTimeout(within.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(fault -> CompletableFuture.failedFuture(
                        fault instanceof TimeoutException
                                ? new HttpTimeoutException("no complete answer within " + within.toMillis() + " ms")
                                : fault));
        CompletableFuture<?> unused = answer.whenComplete((read, fault) -> {
            if (fault != null) {
                response.cancel(true);
            }
        });
        return answer;
    }

    private Answer read(HttpResponse<String> response) {
        if (response.statusCode() == 401) {
            cluster.token().refused();
        }
        return new Answer(
                response.statusCode(), response.body(), response.headers().firstValue("Retry-After"));
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
                .executor(RenewedHttpClient.executor(RenewedHttpClient::daemon))
                .build();
    }
}
