package dev.doyen.elector.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;

/** Handles the HTTP requests of one port. Threads: the socket's event loop, which an implementation must not block. */
@FunctionalInterface
public interface HttpHandler {

    /** Handles a complete, well-formed request. The caller releases the request. */
    void serve(ChannelHandlerContext ctx, FullHttpRequest request);

    /** Returns the maximum length of a request body in bytes. */
    default int maxBodyBytes() {
        return HttpLimits.MAX_BODY_BYTES;
    }

    /** Builds the response to input that cannot be parsed or is too long. */
    default HttpReply refusal(int status, String sentence) {
        return HttpReply.sentence(status, sentence);
    }
}
