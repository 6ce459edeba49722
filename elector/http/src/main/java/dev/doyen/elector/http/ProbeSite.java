package dev.doyen.elector.http;

import dev.doyen.elector.Probes;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;

/** Serves {@link Probes} over HTTP. */
public final class ProbeSite implements HttpSite {

    private final Probes probes;

    public ProbeSite(Probes probes) {
        this.probes = probes;
    }

    @Override
    public void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        ElectorSite.reply(probes.answer(ElectorSite.electorRequest(ctx, request)))
                .send(ctx, request);
    }
}
