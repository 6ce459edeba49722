package dev.doyen.server.console;

import dev.doyen.elector.Admins;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.server.http.Audience;
import dev.doyen.server.http.ElectorSite;
import dev.doyen.server.http.EventStream;
import dev.doyen.server.http.HttpLimits;
import dev.doyen.server.http.HttpReply;
import dev.doyen.server.http.HttpSite;
import dev.doyen.server.http.LateReply;
import dev.doyen.server.http.Reading;
import dev.doyen.server.http.RemoteAddress;
import dev.doyen.server.http.SubPage;
import dev.doyen.server.websocket.HubLoop;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The console at {@code /console/}, and what it shows as an event stream at {@code /console/events}.
 *
 * <p>On a hub that only this machine reaches, whoever asks by a loopback name may look. Elsewhere a key or token is
 * needed that may {@code admin} some channel; the page itself, which holds nothing, is served to all.
 *
 * <p>Orders about elections are taken under {@code /console/v1} as the elector API takes them under {@code /v1}, from the
 * page itself: a browser says of every POST where it is from, so a foreign page cannot give one in somebody's name, nor can
 * one that came by another name of this machine. A key may give them from anywhere, for no browser sends it by itself.
 *
 * <p>Threads: the socket's event loop.
 */
public final class ConsoleSite implements HttpSite {

    private static final String ROOT = "/console";
    private static final String EVENTS = "/console/events";

    private static final String ORDERS = "/console/v1/";

    private static final Map<String, String> STREAM_HEADERS = Map.of(
            "Content-Type", "text/event-stream",
            "Cache-Control", "no-cache",
            "X-Accel-Buffering", "no",
            "X-Content-Type-Options", "nosniff");

    private final HubLoop hub;
    private final ConsoleFeed feed;
    private final Audience audience;
    private final Admins admins;
    private final Function<ElectorRequest, CompletionStage<HttpReply>> orders;
    private final SubPage page = new SubPage(ROOT, "console");
    private final HttpSite other;

    /**
     * @param admins who may give orders by key
     * @param orders takes them, or says why not
     * @param other what is asked that is not the console's
     */
    public ConsoleSite(
            HubLoop hub,
            ConsoleFeed feed,
            Audience audience,
            Admins admins,
            Function<ElectorRequest, CompletionStage<HttpReply>> orders,
            HttpSite other) {
        this.hub = hub;
        this.feed = feed;
        this.audience = audience;
        this.admins = admins;
        this.orders = orders;
        this.other = other;
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        String path = Reading.path(request);
        if (!page.has(path)) {
            other.serve(ctx, request);
        } else if (request.method().equals(HttpMethod.POST) && path.startsWith(ORDERS)) {
            order(ctx, request);
        } else if (!Reading.is(request)) {
            Reading.only().send(ctx, request);
        } else if (path.equals(EVENTS)) {
            events(ctx, request);
        } else {
            page.reply(path).send(ctx, request);
        }
    }

    private void events(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (audience.knows(request.headers().get(HttpHeaderNames.HOST, ""))) {
            stream(ctx, request, ConsoleSite::everyChannel);
            return;
        }
        String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        String address = RemoteAddress.of(ctx.channel().remoteAddress());
        var late = new LateReply(ctx, request);
        hub.look(seen -> {
            if (seen.mayAdminister(authorization, address)) {
                late.answer((socket, asked) -> stream(
                        socket,
                        asked,
                        channel ->
                                admins.refusal(authorization, address, channel).isEmpty()));
            } else {
                late.send(HttpReply.sentence(
                        401, "The console needs a key or token that may admin; give it as Basic or Bearer."));
            }
        });
    }

    private static boolean everyChannel(String channel) {
        return true;
    }

    private void order(ChannelHandlerContext ctx, FullHttpRequest request) {
        boolean keyed = request.headers().contains(HttpHeaderNames.AUTHORIZATION);
        boolean fromPage = isFromOwnPage(request);
        if (!keyed && !fromPage) {
            ElectorSite.problem(
                            403,
                            "orders without a key are taken from the console's own page alone, opened on this machine as"
                                    + " localhost or 127.0.0.1; send a key that may do admin on the channel as"
                                    + " Authorization: Basic, or use /v1 of the elector API")
                    .send(ctx, request);
        } else if (request.content().readableBytes() > HttpLimits.MAX_BODY_BYTES) {
            ElectorSite.problem(413, "the body of an order is longer than " + HttpLimits.MAX_BODY_BYTES + " bytes")
                    .send(ctx, request);
        } else {
            var late = new LateReply(ctx, request);
            var order = asOrder(request, fromPage)
                    .from(RemoteAddress.of(ctx.channel().remoteAddress()));
            orders.apply(order).thenAccept(late::send);
        }
    }

    /** With the headers that matter: where it is from has been seen to. */
    private static ElectorRequest asOrder(FullHttpRequest request, boolean fromPage) {
        var headers = new HashMap<String, String>();
        for (var name : List.of(HttpHeaderNames.CONTENT_TYPE, HttpHeaderNames.AUTHORIZATION)) {
            String value = request.headers().get(name);
            if (value != null) {
                headers.put(name.toString(), value);
            }
        }
        return ElectorRequest.of(
                request.method().name(),
                request.uri().substring(ROOT.length()),
                headers,
                fromPage,
                ByteBufUtil.getBytes(request.content()));
    }

    private boolean isFromOwnPage(FullHttpRequest request) {
        String host = request.headers().get(HttpHeaderNames.HOST, "");
        String origin = request.headers().get(HttpHeaderNames.ORIGIN, "");
        // With https if there is something in front of the hub that has TLS.
        return audience.knows(host)
                && (origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host));
    }

    private void stream(ChannelHandlerContext ctx, FullHttpRequest request, Predicate<String> mayOrder) {
        if (EventStream.answersHead(ctx, request, STREAM_HEADERS)) {
            return;
        }
        if (!feed.admits()) {
            HttpReply.sentence(
                            503,
                            "There are already " + ConsoleFeed.MAX_WATCHERS
                                    + " who look at the console; close one of them first.")
                    .with("Retry-After", "5")
                    .send(ctx, request);
            return;
        }
        EventStream.open(ctx, request, STREAM_HEADERS);
        ctx.flush();
        feed.watch(ctx.channel(), mayOrder);
    }
}
