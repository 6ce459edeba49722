package dev.doyen.server.console;

import dev.doyen.elector.ElectorRequest;
import dev.doyen.server.http.ElectorSite;
import dev.doyen.server.http.HttpLimits;
import dev.doyen.server.http.HttpReply;
import dev.doyen.server.http.HttpSite;
import dev.doyen.server.http.LateReply;
import dev.doyen.server.http.Reading;
import dev.doyen.server.http.RemoteAddress;
import dev.doyen.server.http.RequestOrigin;
import dev.doyen.server.http.SubPage;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A console at {@code /console/}, and what it shows as an event stream at {@code /console/events}. The page itself, which
 * holds nothing, is served to all.
 *
 * <p>Orders about elections are taken under {@code /console/v1} as the elector API takes them under {@code /v1}, from the
 * page itself: a browser says of every POST where it is from, so a foreign page cannot give one in somebody's name, nor can
 * one that came by another name of this machine.
 *
 * <p>Threads: the socket's event loop.
 *
 * @param <V> what is known of who looks
 */
public abstract class ConsoleSite<V> implements HttpSite {

    private static final String ROOT = "/console";
    private static final String EVENTS = "/console/events";

    private static final String ORDERS = "/console/v1/";

    private final ConsoleFeed<V> feed;
    private final Function<ElectorRequest, ? extends CompletionStage<HttpReply>> orders;
    private final SubPage page = new SubPage(ROOT, "console");
    private final HttpSite other;

    /**
     * @param orders takes them, or says why not
     * @param other what is asked that is not the console's
     */
    protected ConsoleSite(
            ConsoleFeed<V> feed,
            Function<ElectorRequest, ? extends CompletionStage<HttpReply>> orders,
            HttpSite other) {
        this.feed = feed;
        this.orders = orders;
        this.other = other;
    }

    /** Whether who asked is on this machine, and asked by a name of this machine. */
    protected abstract boolean isOfThisMachine(ChannelHandlerContext ctx, FullHttpRequest request);

    /** {@linkplain #stream Shows} what there is to who may look, or refuses. */
    protected abstract void events(ChannelHandlerContext ctx, FullHttpRequest request);

    /** Why no order is taken that did not come from the console's own page; empty if the elector is to judge it. */
    protected abstract Optional<String> strangersOrder(FullHttpRequest request);

    @Override
    public final void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
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

    @Override
    public final HttpReply refusal(int status, String sentence) {
        return other.refusal(status, sentence);
    }

    private void order(ChannelHandlerContext ctx, FullHttpRequest request) {
        boolean fromPage = isFromOwnPage(ctx, request);
        Optional<String> refusal = fromPage ? Optional.empty() : strangersOrder(request);
        if (refusal.isPresent()) {
            ElectorSite.problem(403, refusal.get()).send(ctx, request);
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

    private boolean isFromOwnPage(ChannelHandlerContext ctx, FullHttpRequest request) {
        return isOfThisMachine(ctx, request) && RequestOrigin.isOwnPage(request);
    }

    /** Shows what there is from now on, if there are not too many who look. */
    protected final void stream(ChannelHandlerContext ctx, FullHttpRequest request, V known) {
        feed.stream(ctx, request, known);
    }
}
