package dev.doyen.group.process;

import dev.doyen.elector.ElectorRequest;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.console.ConsoleHandler;
import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.HttpHandler;
import dev.doyen.elector.http.HttpReply;
import dev.doyen.elector.http.RequestOrigin;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The console of a process that runs an election over a membership.
 *
 * <p>Such a process has no keys. So only this machine may view the console, under a loopback name, even if other
 * machines can reach the port.
 *
 * <p>Threads: the socket's event loop.
 */
final class MemberConsole extends ConsoleHandler<Audience> {

    private static final int MISDIRECTED = 421;

    MemberConsole(
            ConsoleFeed<Audience> feed,
            Function<ElectorRequest, ? extends CompletionStage<HttpReply>> orders,
            HttpHandler other) {
        super(feed, orders, other);
    }

    @Override
    protected boolean isOfThisMachine(ChannelHandlerContext ctx, FullHttpRequest request) {
        return RequestOrigin.isThisMachine(ctx, request);
    }

    @Override
    protected void events(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (isOfThisMachine(ctx, request)) {
            stream(ctx, request, Audience.LOOPBACK);
        } else {
            HttpReply.sentence(
                            MISDIRECTED,
                            "This console is shown to this machine only; open it there as http://localhost or"
                                    + " 127.0.0.1, through a tunnel if need be.")
                    .send(ctx, request);
        }
    }

    @Override
    protected Optional<String> refusalWithoutKey(FullHttpRequest request) {
        return Optional.of(
                "admin commands are accepted only from the console's own page, opened on this machine as localhost or"
                        + " 127.0.0.1; use /v1");
    }
}
