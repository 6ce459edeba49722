package dev.doyen.elector.http;

import dev.doyen.elector.tls.ServerTls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;

/**
 * Starts TLS on a connection. If the client does not begin with TLS, the handler answers with HTTP status 400 in plain
 * text.
 *
 * <p>The deadline of the first request also limits the time of the handshake.
 */
final class TlsDetector extends ByteToMessageDecoder {

    /** The length of the header of a TLS record (RFC 8446, section 5.1). */
    private static final int RECORD_HEADER_BYTES = 5;

    private final ServerTls tls;

    TlsDetector(ServerTls tls) {
        this.tls = tls;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < RECORD_HEADER_BYTES) {
            return;
        }
        if (SslHandler.isEncrypted(in, false)) {
            ctx.pipeline().replace(this, null, new SslHandler(tls.newEngine()));
            return;
        }
        in.skipBytes(in.readableBytes());
        var http = ctx.pipeline().context(HttpRequestDecoder.class);
        HttpReply.sentence(400, "This port speaks HTTPS only. Use https:// or wss:// instead of http:// or ws://.")
                .sendAndClose(http);
        // LingeringClose now discards all further input.
        ctx.pipeline().remove(this);
    }
}
