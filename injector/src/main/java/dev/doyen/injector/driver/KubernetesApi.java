package dev.doyen.injector.driver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.kubernetes.rest.ApiServer;
import dev.doyen.stores.kubernetes.rest.Cluster;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;

/**
 * The few things that are asked of the Kubernetes API, in Jackson's trees, by threads that may wait. An answer of any status
 * is an answer; {@link IOException} means that there was none. Threads: any.
 */
final class KubernetesApi {

    static final String MERGE_PATCH = "application/merge-patch+json";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** A page of a list of pods, or one object. */
    private static final int MAX_ANSWER = 16 * 1024 * 1024;

    private final ApiServer server;

    KubernetesApi(Cluster cluster) {
        this.server = new ApiServer(cluster, "doyen-injector", TIMEOUT, MAX_ANSWER);
    }

    /** What the server said. */
    record Answer(int status, JsonNode body) {

        /** The body, if the status is one of these; else an {@link IOException} with the server's own words. */
        JsonNode expect(String what, int... statuses) throws IOException {
            for (int expected : statuses) {
                if (status == expected) {
                    return body;
                }
            }
            throw new IOException(what + ": the API server answered " + status + ": "
                    + body.path("message").asText("without a word"));
        }
    }

    Answer get(String path) throws IOException, InterruptedException {
        return await(() -> server.get(path));
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

    /** Follows a list, as {@link ApiServer#watch}. */
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

    /** Requests end by themselves, within their time. */
    private static Answer await(Request request) throws IOException, InterruptedException {
        try {
            var answer = request.send().get();
            return new Answer(answer.status(), tree(answer.body()));
        } catch (StoreUnavailableException e) {
            throw new IOException(e.getMessage(), e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException fault ? fault : new IOException(e.getCause());
        }
    }

    /** Some refusals are plain text; then the status has to say all. */
    private static JsonNode tree(String body) throws JsonProcessingException {
        return body.stripLeading().startsWith("{") ? JSON.readTree(body) : MissingNode.getInstance();
    }
}
