package dev.doyen.injector.driver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.kubernetes.rest.ApiServer;
import dev.doyen.stores.kubernetes.rest.Cluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;

/**
 * A small client of the Kubernetes API, which passes bodies as Jackson trees.
 *
 * <p>Every call except {@link #watch} and {@link #ask} blocks. A blocking call returns an answer of any status, and
 * throws {@link IOException} if no answer arrives. Threads: any.
 */
final class KubernetesApi {

    static final String MERGE_PATCH = "application/merge-patch+json";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /**
     * The maximum length of an answer, in bytes.
     *
     * <p>An answer is one object, one page of a list, or the list of all RoleBindings of the injector.
     */
    private static final int MAX_ANSWER = 16 * 1024 * 1024;

    private final ApiServer server;

    KubernetesApi(Cluster cluster) {
        this(cluster, TIMEOUT);
    }

    /** @param timeout the maximum time from a request to its answer */
    KubernetesApi(Cluster cluster, Duration timeout) {
        this.server = new ApiServer(cluster, "doyen-injector", timeout, MAX_ANSWER);
    }

    /** An answer of the server. */
    record Answer(int status, JsonNode body) {

        /**
         * Returns the body if the status is one of {@code statuses}.
         *
         * @throws RejectedException if the answer has another status; the exception contains the server's message
         */
        JsonNode expect(String what, int... statuses) throws RejectedException {
            for (int expected : statuses) {
                if (status == expected) {
                    return body;
                }
            }
            throw new RejectedException(what + ": the API server answered " + status + ": "
                    + body.path("message").asText("(no message)"));
        }
    }

    /** Thrown if the server has answered with an unexpected status. */
    static final class RejectedException extends IOException {
        private static final long serialVersionUID = 1;

        RejectedException(String message) {
            super(message);
        }
    }

    Answer get(String path) throws IOException, InterruptedException {
        return await(() -> server.get(path));
    }

    /**
     * Sends a GET request without blocking.
     *
     * @throws IOException if the request cannot be sent, for example because the token cannot be read
     */
    CompletableFuture<Answer> ask(String path) throws IOException {
        try {
            return server.get(path).thenApply(KubernetesApi::answer);
        } catch (StoreUnavailableException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    Answer post(String path, JsonNode body) throws IOException, InterruptedException {
        return send("POST", path, "application/json", body);
    }

    Answer put(String path, JsonNode body) throws IOException, InterruptedException {
        return send("PUT", path, "application/json", body);
    }

    Answer patch(String path, String kind, JsonNode body) throws IOException, InterruptedException {
        return send("PATCH", path, kind, body);
    }

    /** Watches a collection with {@link ApiServer#watch}. */
    CompletableFuture<HttpResponse<Void>> watch(String path, Flow.Subscriber<String> lines) throws IOException {
        try {
            return server.watch(path, lines);
        } catch (StoreUnavailableException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    static JsonNode parse(String line) throws IOException {
        return JSON.readTree(line);
    }

    private interface Request {
        CompletableFuture<dev.doyen.stores.kubernetes.rest.Answer> send();
    }

    private Answer send(String method, String path, String contentType, JsonNode body)
            throws IOException, InterruptedException {
        byte[] bytes = JSON.writeValueAsBytes(body);
        return await(() -> server.send(method, path, contentType, bytes));
    }

    /** Waits for the answer without a timeout, because each request has its own timeout. */
    private static Answer await(Request request) throws IOException, InterruptedException {
        try {
            return answer(request.send().get());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (StoreUnavailableException e) {
            throw new IOException(e.getMessage(), e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException fault ? fault : new IOException(e.getCause());
        }
    }

    /** Throws {@link UncheckedIOException} if the body begins as an object, and is not valid JSON. */
    private static Answer answer(dev.doyen.stores.kubernetes.rest.Answer answer) {
        try {
            return new Answer(answer.status(), tree(answer.body()));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses the body. Returns a missing node if the body is not an object, because some rejections are plain text. */
    private static JsonNode tree(String body) throws JsonProcessingException {
        return body.stripLeading().startsWith("{") ? JSON.readTree(body) : MissingNode.getInstance();
    }
}
