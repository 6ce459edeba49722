package dev.doyen.stores.kubernetes.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.doyen.testkit.RefusableThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests requests after a shortage of memory or threads. */
final class RenewedHttpClientTest {

    private final AtomicBoolean refusing = new AtomicBoolean();
    private final AtomicInteger created = new AtomicInteger();
    private HttpServer server;
    private String url;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void a_request_needs_no_new_thread_and_a_refused_thread_does_not_end_the_client() throws Exception {
        var client = new RenewedHttpClient(this::create);
        client.client();

        refusing.set(true);
        assertThatThrownBy(() -> status(client, closed())).hasCauseInstanceOf(IOException.class);
        assertThat(status(client, url)).isEqualTo(200);
        refusing.set(false);

        assertThat(status(client, url)).isEqualTo(200);
        assertThat(created).hasValue(1);
    }

    @Test
    void a_client_that_could_not_be_created_is_created_by_the_next_request() throws Exception {
        var client = new RenewedHttpClient(onceFailing(this::create));

        assertThatThrownBy(() -> status(client, url)).isInstanceOf(OutOfMemoryError.class);
        assertThat(status(client, url)).isEqualTo(200);
    }

    @Test
    void a_client_whose_thread_has_ended_is_replaced_once() {
        var client = new RenewedHttpClient(this::create);
        HttpClient first = client.client();
        client.completed(first, null);
        client.completed(first, new CompletionException(new IOException("HTTP/1.1 header parser received no bytes")));
        assertThat(client.client()).isSameAs(first);

        var ended = new CompletionException(new IOException("selector manager closed", new OutOfMemoryError()));
        client.completed(first, ended);
        HttpClient second = client.client();
        client.completed(first, ended);
        assertThat(client.client()).isSameAs(second).isNotSameAs(first);
    }

    private HttpClient create() {
        created.incrementAndGet();
        Executor executor = RenewedHttpClient.executor(new RefusableThreads(refusing::get));
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(executor)
                .build();
    }

    private static Supplier<HttpClient> onceFailing(Supplier<HttpClient> factory) {
        var failed = new AtomicBoolean();
        return () -> {
            if (!failed.getAndSet(true)) {
                throw new OutOfMemoryError("on purpose");
            }
            return factory.get();
        };
    }

    private static int status(RenewedHttpClient client, String url) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
                .get(60, TimeUnit.SECONDS)
                .statusCode();
    }

    /** Returns the address of a port on which no server listens. */
    private static String closed() throws IOException {
        try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + closed.getLocalPort() + "/";
        }
    }
}
