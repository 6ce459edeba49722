package dev.doyen.elector.console;

import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.http.ElectorHandler;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpLimits;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LateReply;
import dev.doyen.elector.http.Reading;
import dev.doyen.elector.http.RemoteAddress;
import dev.doyen.elector.http.RequestOrigin;
import dev.doyen.elector.http.SubPage;
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
 * Serves a console at {@code /console/} and its event stream at {@code /console/events}.
 *
 * <p>Everybody may load the page itself, because it contains no data.
 *
 * <p>Admin commands under {@code /console/v1} work as under {@code /v1} of the elector API. The console's own page may
 * send them. A browser states the origin of every POST. So a foreign page cannot send a command in the user's name,
 * even under a domain name that resolves to this machine.
 *
 * <p>Threads: the socket's event loop.
 *
 * @param <V> what is known about a viewer
 */
public abstract class ConsoleHandler<V> implements HttpHandler {

    private static final String ROOT = "/console";
    private static final String EVENTS = "/console/events";

    private static final String ORDERS = "/console/v1/";

    private final ConsoleFeed<V> feed;
    private final Function<ElectorRequest, ? extends CompletionStage<HttpReply>> adminCommands;
    private final SubPage page = new SubPage(ROOT, "console");
    private final HttpHandler other;

    /**
     * Creates the console.
     *
     * @param adminCommands carries out admin commands or rejects them
     * @param other handles all other requests
     */
    protected ConsoleHandler(
            ConsoleFeed<V> feed,
            Function<ElectorRequest, ? extends CompletionStage<HttpReply>> adminCommands,
            HttpHandler other) {
        this.feed = feed;
        this.adminCommands = adminCommands;
        this.other = other;
    }

    /** Whether the request comes from this machine and asks for one of its loopback names. */
    protected abstract boolean isOfThisMachine(ChannelHandlerContext ctx, FullHttpRequest request);

    /** Answers with {@link #stream} if the viewer is allowed, or rejects the request. */
    protected abstract void events(ChannelHandlerContext ctx, FullHttpRequest request);

    /** Why a command from outside the console's own page is rejected; empty to leave the decision to the elector. */
    protected abstract Optional<String> refusalWithoutKey(FullHttpRequest request);

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
        Optional<String> refusal = fromPage ? Optional.empty() : refusalWithoutKey(request);
        if (refusal.isPresent()) {
            ElectorHandler.problem(403, refusal.get()).send(ctx, request);
        } else if (request.content().readableBytes() > HttpLimits.MAX_BODY_BYTES) {
            ElectorHandler.problem(
                            413, "the body of an admin command is longer than " + HttpLimits.MAX_BODY_BYTES + " bytes")
                    .send(ctx, request);
        } else {
            var late = new LateReply(ctx, request);
            var command = asCommand(request, fromPage)
                    .from(RemoteAddress.of(ctx.channel().remoteAddress()));
            adminCommands.apply(command).thenAccept(late::send);
        }
    }

    /** Copies the relevant headers. The origin has been checked before. */
    private static ElectorRequest asCommand(FullHttpRequest request, boolean fromPage) {
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

    /** Answers with an event stream, or with 503 if there are too many viewers. */
    protected final void stream(ChannelHandlerContext ctx, FullHttpRequest request, V known) {
        feed.stream(ctx, request, known);
    }
}
