package dev.doyen.hub.server.console;

import dev.doyen.elector.Admins;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.console.ConsoleHandler;
import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LateReply;
import dev.doyen.elector.http.RemoteAddress;
import dev.doyen.hub.server.websocket.HubLoop;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The console of a hub.
 *
 * <p>If only this machine can reach the hub, every request for a loopback name may view the console. Otherwise the
 * viewer needs a key or token with the {@code admin} operation on some channel. Admin commands with a key are accepted
 * from anywhere, because a browser does not send a key by itself.
 *
 * <p>Threads: the socket's event loop.
 */
public final class HubConsole extends ConsoleHandler<Predicate<String>> {

    private final HubLoop hub;
    private final Audience audience;
    private final Admins admins;

    /**
     * Creates the console.
     *
     * @param admins decides which keys may send admin commands
     * @param adminCommands carries out admin commands or rejects them
     * @param other handles all other requests
     */
    public HubConsole(
            HubLoop hub,
            ConsoleFeed<Predicate<String>> feed,
            Audience audience,
            Admins admins,
            Function<ElectorRequest, ? extends CompletionStage<HttpReply>> adminCommands,
            HttpHandler other) {
        super(feed, adminCommands, other);
        this.hub = hub;
        this.audience = audience;
        this.admins = admins;
    }

    @Override
    protected boolean isOfThisMachine(ChannelHandlerContext ctx, FullHttpRequest request) {
        return audience.knows(request.headers().get(HttpHeaderNames.HOST, ""));
    }

    @Override
    protected void events(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (isOfThisMachine(ctx, request)) {
            stream(ctx, request, HubConsole::everyChannel);
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

    @Override
    protected Optional<String> refusalWithoutKey(FullHttpRequest request) {
        return request.headers().contains(HttpHeaderNames.AUTHORIZATION)
                ? Optional.empty()
                : Optional.of(
                        "without a key, admin commands are accepted only from the console's own page, opened on this"
                                + " machine as localhost or 127.0.0.1; send a key that may do admin on the channel as"
                                + " Authorization: Basic, or use /v1 of the elector API");
    }
}
