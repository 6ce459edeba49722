package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.doyen.stores.kubernetes.rest.BearerToken;
import dev.doyen.stores.kubernetes.rest.Cluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the controller with an API server that rejects all writes in the namespace {@code a}. */
@Timeout(600)
class ControllerTest {

    private static final String POD = """
            {"metadata": {"namespace": "%s", "name": "p", "annotations": {"elector.doyen.dev/election": "orders"}}}""";
    private static final String LEASE = """
            {"metadata": {"name": "orders"}, "spec": {"holderIdentity": "p"}}""";

    private final BlockingQueue<String> writes = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "api-server");
        thread.setDaemon(true);
        return thread;
    });
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void a_rejected_RoleBinding_is_repeated_and_does_not_delay_the_others() throws Exception {
        control(false, () -> {
            awaitWrite("POST /apis/rbac.authorization.k8s.io/v1/namespaces/a/rolebindings");
            awaitWrite("POST /apis/rbac.authorization.k8s.io/v1/namespaces/b/rolebindings");
            awaitWrite("POST /apis/rbac.authorization.k8s.io/v1/namespaces/a/rolebindings");
        });
    }

    @Test
    void a_rejected_label_is_repeated_and_does_not_delay_the_others() throws Exception {
        control(true, () -> {
            awaitWrite("PATCH /api/v1/namespaces/a/pods/p");
            awaitWrite("PATCH /api/v1/namespaces/b/pods/p");
            awaitWrite("PATCH /api/v1/namespaces/a/pods/p");
        });
    }

    private interface Part {
        void run() throws Exception;
    }

    /** Runs the part while a controller works. */
    private void control(boolean leaderLabels, Part part) throws Exception {
        var cluster = new Cluster(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                SSLContext.getDefault(),
                BearerToken.none(),
                "default");
        try (var controller = new Controller(new KubernetesApi(cluster), "elector", leaderLabels, 20)) {
            var caller = new Thread(() -> {
                try {
                    controller.workUntilInterrupted();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            caller.start();
            try {
                part.run();
            } finally {
                caller.interrupt();
                caller.join();
            }
        }
    }

    /** Waits for this write, and skips other writes. */
    private void awaitWrite(String expected) throws InterruptedException {
        long start = System.nanoTime();
        String write = "";
        while (!write.equals(expected)) {
            write = writes.poll(60, TimeUnit.SECONDS);
            assertThat(write).as("the controller sends " + expected).isNotNull();
            assertThat(System.nanoTime() - start)
                    .as("the controller sends " + expected)
                    .isLessThan(TimeUnit.SECONDS.toNanos(60));
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
            exchange.sendResponseHeaders(200, 0);
            return;
        }
        if (exchange.getRequestMethod().equals("GET")) {
            send(exchange, 200, list(path));
            return;
        }
        writes.add(exchange.getRequestMethod() + " " + path);
        if (path.contains("/namespaces/a/")) {
            send(exchange, 403, "{\"message\": \"the namespace is being terminated\"}");
        } else if (exchange.getRequestMethod().equals("POST")) {
            send(exchange, 201, "{}");
        } else {
            send(exchange, 200, POD.formatted("b"));
        }
    }

    private static String list(String path) {
        String items = "";
        if (path.endsWith("/pods")) {
            items = POD.formatted("a") + ", " + POD.formatted("b");
        } else if (path.endsWith("/leases")) {
            items = LEASE;
        }
        return "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": [" + items + "]}";
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
