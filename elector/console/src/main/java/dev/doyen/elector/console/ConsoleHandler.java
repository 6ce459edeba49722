package dev.doyen.elector.console;

import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.http.ClientAddress;
import dev.doyen.elector.http.ClientCertificate;
import dev.doyen.elector.http.ElectorHandler;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpLimits;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LateReply;
import dev.doyen.elector.http.Reading;
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
 * <p>Every client may load the page itself, because the page contains no data.
 *
 * <p>Admin commands under {@code /console/v1} have the same effect as under {@code /v1} of the elector API. If the
 * program accepts commands without a key, these commands must come from the page of the console. A browser sends the
 * origin of the page with every POST. So a foreign page cannot send a command on behalf of the user, even if its domain
 * name resolves to this machine.
 *
 * <p>Threads: the socket's event loop.
 *
 * @param <V> the type that describes a viewer; different viewers can receive different content
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
     * @param adminCommands the elector that carries out or rejects admin commands
     * @param other the handler of all other requests
     */
    protected ConsoleHandler(
            ConsoleFeed<V> feed,
            Function<ElectorRequest, ? extends CompletionStage<HttpReply>> adminCommands,
            HttpHandler other) {
        this.feed = feed;
        this.adminCommands = adminCommands;
        this.other = other;
    }

    /** Returns true if the console's own page may send this request without a key. */
    protected abstract boolean isTrustedWithoutKey(ChannelHandlerContext ctx, FullHttpRequest request);

    /** Answers with {@link #stream} if the viewer is allowed, or rejects the request. */
    protected abstract void events(ChannelHandlerContext ctx, FullHttpRequest request);

    /**
     * Returns the reason to reject a command that is not from the console's page.
     *
     * <p>The result is empty if the elector decides about the command.
     */
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
        boolean certified = ClientCertificate.isAdmin(ctx.channel(), request);
        Optional<String> refusal = fromPage || certified ? Optional.empty() : refusalWithoutKey(request);
        if (refusal.isPresent()) {
            ElectorHandler.problem(403, refusal.get()).send(ctx, request);
        } else if (request.content().readableBytes() > HttpLimits.MAX_BODY_BYTES) {
            ElectorHandler.problem(
                            413, "the body of an admin command is longer than " + HttpLimits.MAX_BODY_BYTES + " bytes")
                    .send(ctx, request);
        } else {
            var late = new LateReply(ctx, request);
            var command = asCommand(request, fromPage)
                    .from(ClientAddress.of(ctx.channel(), request))
                    .withAdminCertificate(certified);
            adminCommands.apply(command).thenAccept(late::send);
        }
    }

    /**
     * Converts a request to an elector request that contains only the relevant headers. The caller has already checked
     * the origin.
     */
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
        return isTrustedWithoutKey(ctx, request) && RequestOrigin.isOwnPage(request);
    }

    /** Answers with an event stream, or with an error as {@link ConsoleFeed#stream} does. */
    protected final void stream(ChannelHandlerContext ctx, FullHttpRequest request, V known) {
        feed.stream(ctx, request, known);
    }
}
