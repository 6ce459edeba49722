package dev.doyen.demo;

import dev.doyen.elector.Admins;
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
        pages = new DemoPages(RunningServer.KEY, settings);
        server = HubServer.start(
                settings,
                new Hub(HubSettings.defaults(), keys),
                Admins.NOBODY,
                pages,
                StrictClaims.knowing(RunningServer.CHANNEL));
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

    /** The same from another server. */
    public HttpResponse<String> get(InetSocketAddress address, String path) throws Exception {
        return http.send(request(origin(address) + path).build(), BodyHandlers.ofString());
    }

    /** An answer that has no end. */
    public HttpResponse<InputStream> stream(String path) throws Exception {
        return http.send(request(origin() + path).build(), BodyHandlers.ofInputStream());
    }

    /**
     * Posts an empty body.
     *
     * @param origin of the page that posts; null for a program that is no browser
     */
    public HttpResponse<String> post(String path, @Nullable String origin) throws Exception {
        HttpRequest.Builder request = request(origin() + path).POST(BodyPublishers.noBody());
        if (origin != null) {
            request.header("Origin", origin);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** Sends these bytes on a socket of their own, and returns the first line of the answer. */
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
