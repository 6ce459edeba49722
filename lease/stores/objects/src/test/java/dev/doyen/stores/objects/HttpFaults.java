package dev.doyen.stores.objects;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP proxy that injects faults into selected requests and forwards the others. */
public final class HttpFaults implements AutoCloseable {

    private static final Set<String> OF_THE_CONNECTION =
            Set.of("connection", "content-length", "expect", "host", "upgrade", "transfer-encoding", "keep-alive");

    private final URI upstream;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, Queue<Fault>> next = new ConcurrentHashMap<>();
    private final List<String> seen = new ArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Fault otherwise = Request::pass;

    private HttpFaults(URI upstream, HttpServer server) {
        this.upstream = upstream;
        this.server = server;
    }

    /** Starts a proxy in front of {@code upstream}. */
    public static HttpFaults before(URI upstream) {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var faults = new HttpFaults(upstream, server);
            server.createContext("/", faults::take);
            server.setExecutor(faults.threads);
            server.start();
            return faults;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /**
     * Sets the fault for the next request with the HTTP method {@code method}. If a test sets several faults, each
     * fault applies to one request, in the order of the calls.
     */
    public void next(String method, Fault fault) {
        Queue<Fault> faults = next.computeIfAbsent(method, m -> new ArrayDeque<>());
        synchronized (faults) {
            faults.add(fault);
        }
    }

    /** Sets the fault for all requests for which {@link #next(String, Fault)} has set no fault. */
    public void otherwise(Fault fault) {
        otherwise = fault;
    }

    /** Returns the requests received since the last call, as "METHOD /path". */
    public List<String> seen() {
        synchronized (seen) {
            List<String> all = List.copyOf(seen);
            seen.clear();
            return all;
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        synchronized (seen) {
            seen.add(method + " " + exchange.getRequestURI().getPath());
        }
        Queue<Fault> faults = next.getOrDefault(method, new ArrayDeque<>());
        Fault fault;
        synchronized (faults) {
            fault = faults.isEmpty() ? otherwise : faults.remove();
        }
        try (exchange) {
            fault.handle(new Request(exchange, exchange.getRequestBody().readAllBytes()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** Handles one request. If {@link #handle} sends no answer, the proxy closes the connection. */
    @FunctionalInterface
    public interface Fault {
        void handle(Request request) throws IOException, InterruptedException;

        Fault ANSWER_LOST = request -> request.forward(Map.of());

        /** Sends the request twice, like a load balancer that received no answer to the first copy. */
        Fault SENT_TWICE = request -> {
            request.forward(Map.of());
            request.pass();
        };

        Fault HANGS = Request::hang;

        static Fault answers(int status, String body) {
            return request -> request.answer(status, Map.of("Content-Type", List.of("application/xml")), body);
        }

        static Fault carriedOutBut(int status, String body) {
            return request -> {
                request.forward(Map.of());
                answers(status, body).handle(request);
            };
        }

        /** Replaces these headers and forwards the request. An empty value removes the header. */
        static Fault withHeaders(Map<String, String> headers) {
            return request -> request.answer(request.forward(headers));
        }
    }

    /** One received request. */
    public final class Request {
        private final HttpExchange exchange;
        private final byte[] body;

        private Request(HttpExchange exchange, byte[] body) {
            this.exchange = exchange;
            this.body = body;
        }

        public String header(String name) {
            String value = exchange.getRequestHeaders().getFirst(name);
            return value == null ? "" : value;
        }

        public void pass() throws IOException, InterruptedException {
            answer(forward(Map.of()));
        }

        void hang() throws InterruptedException {
            closed.await();
        }

        public HttpResponse<byte[]> forward(Map<String, String> headers) throws IOException, InterruptedException {
            Map<String, String> instead = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            instead.putAll(headers);
            var request = HttpRequest.newBuilder(upstream.resolve(exchange.getRequestURI()))
                    .method(
                            exchange.getRequestMethod(),
                            body.length == 0
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofByteArray(body));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT)) && !instead.containsKey(name)) {
                    values.forEach(value -> request.header(name, value));
                }
            });
            instead.forEach((name, value) -> {
                if (!value.isEmpty()) {
                    request.header(name, value);
                }
            });
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        }

        public void answer(HttpResponse<byte[]> response) throws IOException {
            answer(response.statusCode(), response.headers().map(), response.body());
        }

        public void answer(int status, Map<String, List<String>> headers, String text) throws IOException {
            answer(status, headers, text.getBytes(StandardCharsets.UTF_8));
        }

        private void answer(int status, Map<String, List<String>> headers, byte[] bytes) throws IOException {
            headers.forEach((name, values) -> {
                // The proxy's HTTP server sets the header Date itself.
                if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT)) && !name.equalsIgnoreCase("date")) {
                    values.forEach(value -> exchange.getResponseHeaders().add(name, value));
                }
            });
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }
}
