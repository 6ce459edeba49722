package dev.doyen.stores.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.doyen.stores.kubernetes.rest.BearerToken;
import dev.doyen.stores.kubernetes.rest.Cluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;

/** An API server that answers as a test defines. It does not answer a request that the test's handler ignores. */
final class FakeApiServer implements AutoCloseable {

    private final HttpServer server;

    FakeApiServer(HttpHandler handler) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", handler);
        server.start();
    }

    Cluster cluster() throws NoSuchAlgorithmException {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return new Cluster(uri, SSLContext.getDefault(), BearerToken.none(), "default");
    }

    static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
