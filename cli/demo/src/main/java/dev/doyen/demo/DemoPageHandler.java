package dev.doyen.demo;

import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.Reading;
import dev.doyen.elector.http.StaticFiles;
import dev.doyen.hub.server.ClientHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.regex.Pattern;

/**
 * Serves the demo page, the pages beneath it, and their configuration.
 *
 * <p>The configuration contains the hub's key. On loopback it is returned only to requests for a loopback name, as a
 * defence against DNS rebinding; see {@link Audience#knows}.
 */
public final class DemoPageHandler implements HttpHandler {

    /** The class path folder with the built page. */
    private static final String PAGE_FOLDER = "demo";

    private static final Pattern PLAIN_HOST =
            Pattern.compile("(?:[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:]{2,45}])(?::[0-9]{1,5})?");

    private final StaticFiles files;
    private final PageConfig config;
    private final Audience audience;

    public DemoPageHandler(ClassLoader classes, PageConfig config, Audience audience) {
        this.files = new StaticFiles(classes, PAGE_FOLDER);
        this.config = config;
        this.audience = audience;
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
        var host = request.headers().get(HttpHeaderNames.HOST, "");
        if (path.equals("/config.json")) {
            return config(host);
        }
        var file = files.find(path);
        if (file.isPresent()) {
            var headers = Reading.headers(file.get().contentType());
            headers.put("Content-Security-Policy", contentSecurityPolicy(host));
            if (path.equals(ClientHandler.PATH)) {
                headers.putAll(ClientHandler.HEADERS);
            }
            return new HttpReply(200, headers, file.get().bytes());
        }
        if (files.find(path + "/").isPresent()) {
            return HttpReply.sentence(308, "The page is at " + path + "/.").with("Location", path + "/");
        }
        return path.equals("/")
                ? HttpReply.sentence(
                        404,
                        "The hub is here, at this address by WebSocket, but this build holds no demo page;"
                                + " start it with ./doyen demo, which builds one.")
                : HttpReply.sentence(404, "There is nothing at this path; the demo page is at /.");
    }

    private HttpReply config(String host) {
        if (audience == Audience.LOOPBACK && !audience.knows(host)) {
            return HttpReply.sentence(
                    421, "The page's configuration is told to this machine only; open http://localhost or 127.0.0.1.");
        }
        return new HttpReply(200, Reading.headers("application/json"), config.json());
    }

    /** Lists the page's own WebSocket explicitly, because some browsers do not count it as {@code 'self'}. */
    private static String contentSecurityPolicy(String host) {
        var socket = PLAIN_HOST.matcher(host).matches() ? " ws://" + host + " wss://" + host : "";
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
                + " manifest-src 'self'; worker-src 'self' blob:; connect-src 'self'" + socket
                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; frame-src 'self'";
    }
}
