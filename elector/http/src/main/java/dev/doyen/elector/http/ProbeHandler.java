package dev.doyen.elector.http;

import dev.doyen.elector.Probes;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;

/** Serves {@link Probes} over HTTP. */
public final class ProbeHandler implements HttpHandler {

    private final Probes probes;

    public ProbeHandler(Probes probes) {
        this.probes = probes;
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        ElectorHandler.reply(probes.answer(ElectorHandler.electorRequest(ctx, request)))
                .send(ctx, request);
    }
}
