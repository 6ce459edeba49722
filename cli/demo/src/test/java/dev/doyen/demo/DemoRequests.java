package dev.doyen.demo;

import dev.doyen.elector.http.CannotListenException;
import dev.doyen.elector.http.RawSocket;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.server.websocket.SessionLimits;
import dev.doyen.hub.settings.HubSettings;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server with the demo's pages, and requests to its hub over real sockets. */
public final class DemoRequests implements AutoCloseable {

    private final HttpClient http = HttpClient.newHttpClient();
    private final DemoPages pages;
    private final HubServer server;

    public DemoRequests() throws CannotListenException {
        var settings = RunningServer.settings(SessionLimits.DEFAULT);
        var keys = HubKeys.of(List.of(RunningServer.KEY));
        pages = new DemoPages(RunningServer.KEY, RunningServer.ADMIN_KEY, settings);
        server = HubServer.start(
                settings,
                new Hub(HubSettings.defaults(), keys),
                RunningServer.ADMIN_KEY,
                pages,
                StrictClaims.withElection(RunningServer.CHANNEL));
    }

    public DemoPages pages() {
        return pages;
    }

    public HubServer server() {
        return server;
    }

    /** The origin of the demo's own pages. */
    public String origin() {
        return origin(server.hubAddress());
    }

    public HttpResponse<String> get(String path) throws Exception {
        return get(server.hubAddress(), path);
    }

    /** Requests the path from the server at this address, and returns the response. */
    public HttpResponse<String> get(InetSocketAddress address, String path) throws Exception {
        return http.send(request(origin(address) + path).build(), BodyHandlers.ofString());
    }

    /** Requests a path whose response has no end, and returns the open stream. */
    public HttpResponse<InputStream> stream(String path) throws Exception {
        return http.send(request(origin() + path).build(), BodyHandlers.ofInputStream());
    }

    /**
     * Posts an empty body.
     *
     * @param authorization the value of the {@code Authorization} header; null for a request without this header
     */
    public HttpResponse<String> post(String path, @Nullable String authorization) throws Exception {
        HttpRequest.Builder request = request(origin() + path)
                .POST(BodyPublishers.noBody())
                // The header names the demo's own page as the origin. A client behind a proxy can send the same
                // header, so the server must also require the key.
                .header("Origin", origin());
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** Sends the request on a new socket, and returns the first line of the response. */
    public String statusLine(String request) throws Exception {
        try (var socket = new RawSocket(server.hubAddress())) {
            socket.send(request);
            return socket.readThrough("\r\n");
        }
    }

    @Override
    public void close() {
        server.close();
    }

    private static HttpRequest.Builder request(String uri) {
        return HttpRequest.newBuilder(URI.create(uri));
    }

    private static String origin(InetSocketAddress address) {
        return "http://127.0.0.1:" + address.getPort();
    }
}
