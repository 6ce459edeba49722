package dev.doyen.server.console;

import dev.doyen.server.http.Audience;
import dev.doyen.server.http.HttpPipeline;
import dev.doyen.server.http.HttpReply;
import dev.doyen.server.http.HttpSite;
import dev.doyen.server.http.StaticFiles;
import dev.doyen.server.http.StreamEnd;
import dev.doyen.server.websocket.HubLoop;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Map;

/**
 * The console at {@code /console/}, and what it shows as an event stream at {@code /console/events}.
 *
 * <p>On a hub that only this machine reaches, whoever asks by a loopback name may look. Elsewhere a key or token is
 * needed that may {@code admin} some channel; the page itself, which holds nothing, is served to all.
 *
 * <p>Threads: the socket's event loop.
 */
public final class ConsoleSite implements HttpSite {

    /** Where in the class path the page's build is put. */
    public static final String PAGE_FOLDER = "console";

    private static final String ROOT = "/console";
    private static final String EVENTS = "/console/events";

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:;"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final HubLoop hub;
    private final ConsoleFeed feed;
    private final Audience audience;
    private final StaticFiles files;
    private final HttpSite other;

    /** @param other what is asked that is not the console's */
    public ConsoleSite(HubLoop hub, ConsoleFeed feed, Audience audience, HttpSite other) {
        this.hub = hub;
        this.feed = feed;
        this.audience = audience;
        this.files = new StaticFiles(ConsoleSite.class.getClassLoader(), PAGE_FOLDER);
        this.other = other;
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        int mark = request.uri().indexOf('?');
        String path = mark < 0 ? request.uri() : request.uri().substring(0, mark);
        if (!path.equals(ROOT) && !path.startsWith(ROOT + "/")) {
            other.serve(ctx, request);
        } else if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            HttpReply.sentence(405, "Only GET and HEAD are served here.")
                    .with("Allow", "GET, HEAD")
                    .send(ctx, request);
        } else if (path.equals(EVENTS)) {
            events(ctx, request);
        } else if (path.equals(ROOT)) {
            HttpReply.sentence(308, "The console is at /console/.")
                    .with("Location", ROOT + "/")
                    .send(ctx, request);
        } else {
            page(path.substring(ROOT.length())).send(ctx, request);
        }
    }

    private HttpReply page(String path) {
        var file = files.find(path);
        if (file.isPresent()) {
            return new HttpReply(
                    200,
                    Map.of(
                            "Content-Type", file.get().contentType(),
                            "Cache-Control", "no-cache",
                            "X-Content-Type-Options", "nosniff",
                            "Referrer-Policy", "no-referrer",
                            "Cross-Origin-Resource-Policy", "same-origin",
                            "Content-Security-Policy", POLICY),
                    file.get().bytes());
        }
        return HttpReply.sentence(
                404,
                path.equals("/")
                        ? "This build holds no console; ./doyen builds one."
                        : "There is nothing at this path; the console is at /console/.");
    }

    private void events(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (audience.knows(request.headers().get(HttpHeaderNames.HOST, ""))) {
            stream(ctx, request);
            return;
        }
        String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        request.retain();
        hub.look(seen -> {
            boolean admitted = seen.mayAdminister(authorization);
            ctx.channel().eventLoop().execute(() -> {
                if (admitted) {
                    stream(ctx, request);
                } else {
                    HttpReply.sentence(
                                    401, "The console needs a key or token that may admin; give it as Basic or Bearer.")
                            .send(ctx, request);
                }
                request.release();
            });
        });
    }

    private void stream(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (!feed.admits()) {
            HttpReply.sentence(
                            503,
                            "There are already " + ConsoleFeed.MAX_WATCHERS
                                    + " who look at the console; close one of them first.")
                    .with("Retry-After", "5")
                    .send(ctx, request);
            return;
        }
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
                .set("X-Accel-Buffering", "no")
                .set("X-Content-Type-Options", "nosniff");
        HttpUtil.setTransferEncodingChunked(response, true);
        HttpPipeline.leaveHttp(ctx.channel());
        ctx.channel().pipeline().addLast(new StreamEnd());
        ctx.channel().writeAndFlush(response);
        feed.watch(ctx.channel());
    }
}
