package dev.doyen.spring;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A fake elector of one election. Its answers contain a term at {@code /v1} and no term at the root. */
final class StandInElector implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "stand-in-elector");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Stream> streams = new CopyOnWriteArrayList<>();
    private final CountDownLatch kept = new CountDownLatch(1);
    private final String election;
    private String leader = "";
    private long term;
    private boolean hangs;
    private boolean answersNothing;

    StandInElector(String election) throws IOException {
        this.election = election;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** Reports this leader from now on. An empty id means that the election has no leader. */
    synchronized void names(String id, long inTerm) {
        leader = id;
        term = inTerm;
        streams.forEach(each -> each.send(each.versioned ? "event: leader\ndata: " + versioned() : "data: " + plain()));
    }

    /** Accepts connections from now on, but sends no response. */
    synchronized void hangs() {
        hangs = true;
    }

    /** Answers no requests from now on, except requests for a stream. */
    synchronized void answersNothing() {
        answersNothing = true;
    }

    /** Waits for the first request that remains unanswered after {@link #answersNothing}. */
    void awaitQuestion() throws InterruptedException {
        if (!kept.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("no request arrived");
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        synchronized (this) {
            String path = exchange.getRequestURI().getPath();
            boolean versioned = path.startsWith("/v1/elections/" + election);
            if (hangs) {
                return;
            }
            if (path.equals("/sse") || path.endsWith("/events")) {
                exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                var stream = new Stream(exchange.getResponseBody(), versioned);
                streams.add(stream);
                stream.send(versioned ? "event: leader\ndata: " + versioned() : "data: " + plain());
                return;
            }
            if (answersNothing) {
                kept.countDown();
                return;
            }
            if (path.startsWith("/v1") && !versioned) {
                exchange.sendResponseHeaders(404, -1);
                exchange.close();
                return;
            }
            byte[] body = (versioned ? versioned() : plain()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    private String plain() {
        return "{\"name\":\"" + leader + "\",\"last_update\":\"\"}";
    }

    private String versioned() {
        return leader.isEmpty()
                ? "{\"name\":\"" + election + "\",\"leader\":null}"
                : "{\"name\":\"" + election + "\",\"leader\":{\"id\":\"" + leader + "\",\"term\":" + term + "}}";
    }

    private record Stream(OutputStream out, boolean versioned) {
        void send(String event) {
            try {
                out.write((event + "\n\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            } catch (IOException e) {
                // The application has closed the stream or has opened another stream.
            }
        }
    }
}
