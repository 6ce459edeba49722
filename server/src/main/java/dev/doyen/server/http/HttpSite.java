package dev.doyen.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;

/** What is served on one port. Threads: called on the socket's event loop; must not block. */
@FunctionalInterface
public interface HttpSite {

    /** Answers a whole, well-formed request. The request is released by the caller. */
    void serve(ChannelHandlerContext ctx, FullHttpRequest request);

    /** The longest body that is read. */
    default int maxBodyBytes() {
        return HttpLimits.MAX_BODY_BYTES;
    }

    /** The words for what never became a request: too long, or not HTTP. */
    default HttpReply refusal(int status, String sentence) {
        return HttpReply.sentence(status, sentence);
    }
}
