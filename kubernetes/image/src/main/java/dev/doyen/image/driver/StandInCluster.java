package dev.doyen.image.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.doyen.injector.certificate.ServingCertificate;
import dev.doyen.stores.kubernetes.rest.PemTls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * A small fake of a Kubernetes API server for a rehearsal.
 *
 * <p>A rehearsal runs the program during the build, to record the classes that the program loads. With this server, the
 * program loads the same classes as in a pod. The server supports only the features that a rehearsal uses, such as
 * objects by path, versions, conflicts and watches. The server permits every request. The tests of Doyen's programs use
 * a real API server instead.
 *
 * <p>Threads: any. Each request has its own thread.
 */
final class StandInCluster implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    /**
     * The pattern of the resource version in the query of a watch. This is the version of the list that the client has
     * read before the watch.
     */
    private static final Pattern LISTED = Pattern.compile("(?:^|&)resourceVersion=([0-9]{1,18})(?:&|$)");

    private static final Pattern ITEM =
            Pattern.compile(".*/(?:namespaces/[^/]+/[a-z]+|mutatingwebhookconfigurations)/[^/]+");
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/";
    private static final int BACKLOG = 16;

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(StandInCluster::daemon);
    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final List<Watch> watches = new ArrayList<>();
    private long version = 1;
    private boolean closed;

    private record Watch(String collection, OutputStream out) {}

    StandInCluster(ServingCertificate certificate) throws IOException, GeneralSecurityException {
        var tls = PemTls.of(
                Optional.empty(),
                Optional.of(certificate.certificate().getBytes(StandardCharsets.US_ASCII)),
                Optional.of(certificate.key().getBytes(StandardCharsets.US_ASCII)));
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "https://localhost:" + server.getAddress().getPort();
    }

    /** Creates or replaces an object, and notifies the watches. */
    synchronized ObjectNode put(String path, ObjectNode object) {
        var known = objects.put(path, object);
        object.withObject("/metadata")
                .put("name", path.substring(path.lastIndexOf('/') + 1))
                .put("resourceVersion", Long.toString(++version));
        notifyWatches(path, known == null ? "ADDED" : "MODIFIED", object);
        notifyAll();
        return object;
    }

    /**
     * Waits until the object at this path contains {@code pointer}, and returns the object.
     *
     * @param pointer a JSON pointer
     * @throws IllegalStateException if the program does not write the object within 60 s
     */
    synchronized JsonNode await(String path, String pointer) throws InterruptedException {
        long start = System.nanoTime();
        while (!objects.containsKey(path) || objects.get(path).at(pointer).isMissingNode()) {
            long left = Waiting.leftMillis(start);
            if (left <= 0) {
                throw new IllegalStateException("the rehearsed program did not write " + pointer + " of " + path);
            }
            wait(left);
        }
        return objects.get(path);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            var query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
            if (query.contains("watch=")) {
                watch(exchange, path, query);
                return;
            }
            var body = exchange.getRequestBody().readAllBytes();
            var sent = body.length == 0 ? JSON.createObjectNode() : (ObjectNode) JSON.readTree(body);
            var answer = answer(exchange.getRequestMethod(), path, query, sent);
            var bytes = JSON.writeValueAsBytes(answer.body());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private record Answer(int status, JsonNode body) {}

    private synchronized Answer answer(String method, String path, String query, ObjectNode sent) {
        if (path.equals("/version")) {
            return new Answer(200, object().put("major", "1").put("minor", "34"));
        }
        if (path.startsWith(REVIEWS)) {
            return new Answer(201, granted(sent));
        }
        if (method.equals("POST")) {
            var made = path + "/" + sent.at("/metadata/name").asText();
            return objects.containsKey(made) ? failure(409) : new Answer(201, put(made, sent));
        }
        var known = Optional.ofNullable(objects.get(path));
        if (method.equals("GET") && !ITEM.matcher(path).matches()) {
            return new Answer(200, list(path, query));
        }
        if (known.isEmpty()) {
            return failure(404);
        }
        return switch (method) {
            case "PUT" ->
                sent.at("/metadata/resourceVersion").equals(known.get().at("/metadata/resourceVersion"))
                        ? new Answer(200, put(path, sent))
                        : failure(409);
            case "PATCH" -> {
                // The programs send merge patches for labels only.
                known.get().withObject("/metadata/labels").setAll((ObjectNode) sent.at("/metadata/labels"));
                yield new Answer(200, put(path, known.get()));
            }
            default -> new Answer(200, known.get());
        };
    }

    private ObjectNode list(String collection, String query) {
        var list = object();
        list.putObject("metadata").put("resourceVersion", Long.toString(version));
        var items = list.putArray("items");
        objects.forEach((path, item) -> {
            boolean named = !query.contains("metadata.name=")
                    || query.contains(
                            "metadata.name=" + item.at("/metadata/name").asText());
            if (isIn(collection, path) && named) {
                items.add(item);
            }
        });
        return list;
    }

    /**
     * Returns true if the object belongs to the collection. A collection can contain the objects of all namespaces,
     * such as {@code /api/v1/pods}.
     */
    private static boolean isIn(String collection, String path) {
        var resource = collection.substring(collection.lastIndexOf('/') + 1);
        var parent = path.substring(0, path.lastIndexOf('/'));
        return parent.equals(collection) || (!collection.contains("/namespaces/") && parent.endsWith("/" + resource));
    }

    /**
     * Sends the changes since the client's list, and then each new change.
     *
     * <p>The query contains the version of the list that the client has read.
     */
    private void watch(HttpExchange exchange, String collection, String query) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        var listed = LISTED.matcher(query);
        long since = listed.find() ? Long.parseLong(listed.group(1)) : Long.MAX_VALUE;
        synchronized (this) {
            var watch = new Watch(collection, exchange.getResponseBody());
            objects.forEach((path, item) -> {
                if (isIn(collection, path)
                        && item.at("/metadata/resourceVersion").asLong() > since) {
                    send(watch, event("ADDED", item));
                }
            });
            watches.add(watch);
            try {
                while (!closed) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void notifyWatches(String path, String change, ObjectNode object) {
        var event = event(change, object);
        watches.removeIf(watch -> isIn(watch.collection(), path) && !send(watch, event));
    }

    private static ObjectNode event(String change, ObjectNode object) {
        var event = object().put("type", change);
        event.set("object", object);
        return event;
    }

    private static boolean send(Watch watch, ObjectNode event) {
        try {
            watch.out().write((event + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            watch.out().flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static ObjectNode granted(ObjectNode review) {
        var status = review.putObject("status").put("allowed", true).put("incomplete", false);
        var rule = status.putArray("resourceRules").addObject();
        for (var each : List.of("verbs", "apiGroups", "resources")) {
            rule.putArray(each).add("*");
        }
        return review;
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "stand-in-cluster");
        thread.setDaemon(true);
        return thread;
    }

    private static Answer failure(int status) {
        return new Answer(status, object().put("kind", "Status").put("code", status));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
