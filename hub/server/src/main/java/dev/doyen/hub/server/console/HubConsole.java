package dev.doyen.hub.server.console;

import dev.doyen.elector.Admins;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.console.ConsoleHandler;
import dev.doyen.elector.http.ClientAddress;
import dev.doyen.elector.http.ClientCertificate;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.LateReply;
import dev.doyen.hub.server.websocket.HubLoop;
import dev.doyen.hub.wire.ErrorCode;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Serves the console of a hub.
 *
 * <p>The viewer needs the admin key of this run, a client certificate of the admin, or a key or token with the {@code
 * admin} operation on at least one channel. The console accepts an admin command with a key from any machine and any
 * page, because a browser never sends a key by itself.
 *
 * <p>The event loop of the socket calls the methods.
 */
public final class HubConsole extends ConsoleHandler<ConsoleViewer> {

    private static final String NO_ADMIN =
            "The console needs the admin key, or a key or token that allows admin. Send a key as Authorization: Basic,"
                    + " and the others as Bearer. The admin key is DOYEN_ADMIN_KEY, or the key that the hub printed"
                    + " when it started.";

    private final HubLoop hub;
    private final Admins admins;

    /**
     * Creates the console.
     *
     * @param admins the rule that decides which keys may send admin commands
     * @param adminCommands the object that executes or rejects admin commands
     * @param other the handler of all other requests
     */
    public HubConsole(
            HubLoop hub,
            ConsoleFeed<ConsoleViewer> feed,
            Admins admins,
            Function<ElectorRequest, ? extends CompletionStage<HttpReply>> adminCommands,
            HttpHandler other) {
        super(feed, adminCommands, other);
        this.hub = hub;
        this.admins = admins;
    }

    @Override
    protected boolean isTrustedWithoutKey(ChannelHandlerContext ctx, FullHttpRequest request) {
        return false;
    }

    @Override
    protected void events(ChannelHandlerContext ctx, FullHttpRequest request) {
        ConsoleFilter filter;
        try {
            filter = ConsoleFilter.of(request.uri());
        } catch (IllegalArgumentException e) {
            HttpReply.sentence(400, String.valueOf(e.getMessage())).send(ctx, request);
            return;
        }
        String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        if (admins.acceptsForAll(authorization) || ClientCertificate.isAdmin(ctx.channel(), request)) {
            stream(ctx, request, new ConsoleViewer(HubConsole::everyChannel, filter));
            return;
        }
        String address = ClientAddress.of(ctx.channel(), request);
        var late = new LateReply(ctx, request);
        hub.look(
                seen -> {
                    if (seen.mayAdminister(authorization, address)) {
                        Predicate<String> permitted = channel -> admins.check(authorization, address, channel)
                                .refusal()
                                .isEmpty();
                        late.answer(
                                (socket, original) -> stream(socket, original, new ConsoleViewer(permitted, filter)));
                    } else {
                        hub.reportRejected(address, ErrorCode.BAD_CREDENTIALS.because(NO_ADMIN));
                        late.send(HttpReply.sentence(401, NO_ADMIN));
                    }
                },
                () -> late.send(HttpReply.sentence(503, "The hub is shutting down. Reload the page in a minute.")));
    }

    private static boolean everyChannel(String channel) {
        return true;
    }

    @Override
    protected Optional<String> refusalWithoutKey(FullHttpRequest request) {
        return request.headers().contains(HttpHeaderNames.AUTHORIZATION)
                ? Optional.empty()
                : Optional.of("admin commands need a key; send the admin key that the hub printed when it started as"
                        + " Authorization: Bearer, or a key that allows admin on the channel as Authorization: Basic");
    }
}
