package dev.doyen.elector.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/**
 * Decodes requests, and marks a request with a folded header field as malformed.
 *
 * <p>A folded field continues on a line that begins with white space (obs-fold, RFC 9112, section 5.2). Netty joins the
 * lines. A proxy can parse such a request in another way, so the server must reject the request.
 *
 * <p>Threads: the event loop of the channel.
 */
final class RequestHeadDecoder extends HttpRequestDecoder {

    private boolean isInHead = true;
    private boolean isFolded;
    private byte lastByte;

    RequestHeadDecoder(HttpDecoderConfig config) {
        super(config);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        int from = buffer.readerIndex();
        int decoded = out.size();
        super.decode(ctx, buffer, out);
        // Netty reads whole lines, and passes on the head before it reads the body.
        if (isInHead) {
            scan(buffer, from, buffer.readerIndex());
        }
        for (Object part : out.subList(decoded, out.size())) {
            if (part instanceof HttpMessage head) {
                isInHead = false;
                if (isFolded && head.decoderResult().isSuccess()) {
                    head.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("a folded header field")));
                }
            }
            if (part instanceof LastHttpContent) {
                isInHead = true;
                isFolded = false;
                lastByte = 0;
            }
        }
    }

    private void scan(ByteBuf buffer, int from, int to) {
        for (int at = from; at < to; at++) {
            byte next = buffer.getByte(at);
            isFolded |= lastByte == '\n' && (next == ' ' || next == '\t');
            lastByte = next;
        }
    }
}
