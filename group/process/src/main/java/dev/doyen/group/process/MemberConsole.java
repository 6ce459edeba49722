package dev.doyen.group.process;

import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.console.ConsoleHandler;
import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.ClientCertificate;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.RequestOrigin;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The console of a process that runs an election over a membership.
 *
 * <p>If the process accepts admin commands only with a key, the viewer needs that key or a client certificate of an
 * admin. Otherwise the console needs no key, but serves only requests from this machine that use a loopback name and no
 * proxy. This limit applies even if other machines can reach the port.
 *
 * <p>Threads: the socket's event loop.
 */
final class MemberConsole extends ConsoleHandler<Audience> {

    private static final int UNAUTHORIZED = 401;
    private static final int MISDIRECTED = 421;

    private final AdminAccess access;

    MemberConsole(
            AdminAccess access,
            ConsoleFeed<Audience> feed,
            Function<ElectorRequest, ? extends CompletionStage<HttpReply>> orders,
            HttpHandler other) {
        super(feed, orders, other);
        this.access = access;
    }

    @Override
    protected boolean isTrustedWithoutKey(ChannelHandlerContext ctx, FullHttpRequest request) {
        return !access.needsKey() && RequestOrigin.isThisMachine(ctx, request);
    }

    @Override
    protected void events(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (isTrustedWithoutKey(ctx, request)
                || access.accepts(request.headers().get(HttpHeaderNames.AUTHORIZATION, ""))
                || (access.needsKey() && ClientCertificate.isAdmin(ctx.channel(), request))) {
            stream(ctx, request, Audience.LOOPBACK);
        } else if (access.needsKey()) {
            HttpReply.sentence(
                            UNAUTHORIZED,
                            "The console needs the admin key. Send it as Authorization: Bearer KEY. The admin key is"
                                    + " DOYEN_ADMIN_KEY, or the key that this process printed when it started.")
                    .send(ctx, request);
        } else {
            HttpReply.sentence(
                            MISDIRECTED,
                            "This console is shown to this machine only. Open it there as http://localhost or"
                                    + " 127.0.0.1, or through a tunnel.")
                    .send(ctx, request);
        }
    }

    @Override
    protected Optional<String> refusalWithoutKey(FullHttpRequest request) {
        return access.needsKey()
                ? Optional.empty()
                : Optional.of("admin commands are accepted only from the console's own page, opened on this machine as"
                        + " localhost or 127.0.0.1; use /v1");
    }
}
