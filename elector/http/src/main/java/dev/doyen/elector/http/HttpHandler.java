package dev.doyen.elector.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpRequest;

/** Handles the HTTP requests of one port. Threads: the socket's event loop; must not block. */
@FunctionalInterface
public interface HttpHandler {

    /** Handles a complete, well-formed request. The caller releases the request. */
    void serve(ChannelHandlerContext ctx, FullHttpRequest request);

    /** The longest request body that is read, in bytes. */
    default int maxBodyBytes() {
        return HttpLimits.MAX_BODY_BYTES;
    }

    /** Builds the response to input that could not be parsed, or that is too long. */
    default HttpReply refusal(int status, String sentence) {
        return HttpReply.sentence(status, sentence);
    }
}
