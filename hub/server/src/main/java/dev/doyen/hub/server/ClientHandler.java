package dev.doyen.hub.server;

import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.Reading;
import dev.doyen.elector.http.StaticFiles;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.Map;
import java.util.Optional;

/**
 * Serves the script of the browser client at {@link #PATH}. The handler serves no HTML page, and the script contains no
 * key.
 */
public final class ClientHandler implements HttpHandler {

    /** The class path folder with the built client. */
    private static final String FOLDER = "client";

    public static final String PATH = "/swarm.js";

    /** The response headers. Pages of any origin may load the client, because the client contains no secret. */
    public static final Map<String, String> HEADERS = Map.of(
            "Access-Control-Allow-Origin", "*",
            "Cross-Origin-Resource-Policy", "cross-origin");

    private final StaticFiles files;

    public ClientHandler(ClassLoader classes) {
        this.files = new StaticFiles(classes, FOLDER);
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        reply(request).send(ctx, request);
    }

    private HttpReply reply(FullHttpRequest request) {
        if (!Reading.is(request)) {
            return Reading.only();
        }
        var path = Reading.path(request);
        var client = path.equals(PATH) ? files.find(PATH) : Optional.<StaticFiles.StaticFile>empty();
        if (client.isEmpty()) {
            return HttpReply.sentence(404, "The hub serves WebSocket at /. It has no page at this path.");
        }
        var headers = Reading.headers(client.get().contentType());
        headers.putAll(HEADERS);
        return new HttpReply(200, headers, client.get().bytes());
    }
}
