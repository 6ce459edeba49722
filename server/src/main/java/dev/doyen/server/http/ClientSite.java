package dev.doyen.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Serves the client for browsers, and no page: nothing here knows a key. */
public final class ClientSite implements HttpSite {

    static final String PATH = "/swarm.js";

    /** Pages of any origin may load the client; it holds no secret. */
    static final Map<String, String> HEADERS = Map.of(
            "Access-Control-Allow-Origin", "*",
            "Cross-Origin-Resource-Policy", "cross-origin");

    private final StaticFiles files;

    public ClientSite(ClassLoader classes) {
        this.files = new StaticFiles(classes, PageSite.PAGE_FOLDER);
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        reply(request).send(ctx, request);
    }

    private HttpReply reply(FullHttpRequest request) {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return HttpReply.sentence(405, "Only GET and HEAD are served here.").with("Allow", "GET, HEAD");
        }
        int mark = request.uri().indexOf('?');
        var path = mark < 0 ? request.uri() : request.uri().substring(0, mark);
        var client = path.equals(PATH) ? files.find(PATH) : Optional.<StaticFiles.StaticFile>empty();
        if (client.isEmpty()) {
            return HttpReply.sentence(404, "The hub is here, at / by WebSocket; it has no page at this path.");
        }
        var headers = new HashMap<>(HEADERS);
        headers.put("Content-Type", client.get().contentType());
        headers.put("Cache-Control", "no-cache");
        headers.put("X-Content-Type-Options", "nosniff");
        return new HttpReply(200, headers, client.get().bytes());
    }
}
