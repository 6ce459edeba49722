package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which bytes a session counts as queued and as sent. */
final class OutboundBytesTest {

    private final FrameCodec codec = new FrameCodec(1_024);
    private final HubLoop loop = new FakeHub().loop(codec, StrictClaims.withElection("e"));
    private final OutboundBytes bytes = loop.outboundBytes();
    private final FlushGate gate = new FlushGate();
    private final EmbeddedChannel channel = new EmbeddedChannel(gate);
    private final Session session =
            new Session(new SessionId(1), ConnectRequest.of(Map.of(), ""), channel, codec, SessionLimits.DEFAULT, loop);

    /** Simulates a client that does not read: while the gate is closed, the socket accepts no bytes. */
    private static final class FlushGate extends ChannelOutboundHandlerAdapter {
        private boolean open;

        @Override
        public void flush(ChannelHandlerContext ctx) {
            if (open) {
                ctx.flush();
            }
        }
    }

    private static ByteBuf frame() {
        return WireFrame.message(new byte[300], Format.JSON);
    }

    @Test
    void bytes_are_queued_until_the_socket_takes_them() {
        ByteBuf frame = frame();
        int length = frame.readableBytes();
        session.write(frame);
        session.flush();
        assertThat(bytes.queued()).isGreaterThanOrEqualTo(length);
        assertThat(bytes.sent()).isZero();

        gate.open = true;
        session.flush();

        assertThat(bytes.queued()).isZero();
        assertThat(bytes.sent()).isEqualTo(length);
        session.flush();
        assertThat(bytes.sent()).as("the bytes are counted once").isEqualTo(length);
        channel.releaseOutbound();
    }

    @Test
    void the_queued_bytes_of_a_closed_socket_are_lost() {
        channel.pipeline().addLast(session);
        session.write(frame());
        session.flush();

        channel.close();

        assertThat(bytes.queued()).isZero();
        assertThat(bytes.sent()).isZero();
    }
}
