package dev.doyen.elector.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.regex.Pattern;

/** Redirects GET and HEAD requests to the HTTPS port of the requested host. */
final class RedirectHandler implements HttpHandler {

    private static final int HTTPS_PORT = 443;
    private static final int PERMANENT_REDIRECT = 308;

    /** A host name, an IPv4 address, or an IPv6 address in brackets. A port may follow. */
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::[0-9]{1,5})?");

    private final int port;

    /** @param port the HTTPS port */
    RedirectHandler(int port) {
        this.port = port;
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        reply(request).send(ctx, request);
    }

    private HttpReply reply(FullHttpRequest request) {
        if (!Reading.is(request)) {
            return HttpReply.sentence(
                    403, "This port only redirects GET and HEAD to HTTPS. Send the request to https://.");
        }
        var host = HOST.matcher(request.headers().get(HttpHeaderNames.HOST, ""));
        if (!host.matches() || !request.uri().startsWith("/")) {
            return HttpReply.sentence(400, "The request needs a path, and a Host header with a name or an address.");
        }
        var root = "https://" + host.group(1) + (port == HTTPS_PORT ? "" : ":" + port);
        return HttpReply.sentence(PERMANENT_REDIRECT, "Use HTTPS.").with("Location", root + request.uri());
    }
}
