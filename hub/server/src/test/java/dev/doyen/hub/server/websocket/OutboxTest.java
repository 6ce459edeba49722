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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OutboxTest {

    private final FrameCodec codec = new FrameCodec(1_024);
    private final OutboundBytes bytes = new OutboundBytes();
    private final Outbox outbox = new Outbox(bytes);
    private final FlushCount flushes = new FlushCount();
    private final EmbeddedChannel channel = new EmbeddedChannel(flushes);
    private final Session session = new Session(
            new SessionId(1),
            ConnectRequest.of(Map.of(), ""),
            channel,
            codec,
            SessionLimits.DEFAULT,
            new FakeHub().loop(codec, StrictClaims.withElection("e")));

    private static final class FlushCount extends ChannelOutboundHandlerAdapter {
        private int count;

        @Override
        public void flush(ChannelHandlerContext ctx) {
            count++;
            ctx.flush();
        }
    }

    @Test
    void ten_frames_of_a_batch_leave_in_order_under_one_flush() {
        for (int frame = 0; frame < 10; frame++) {
            outbox.add(session, WireFrame.message(new byte[] {(byte) frame}, Format.JSON));
        }
        assertThat(flushes.count).isZero();

        outbox.handOver();
        channel.runPendingTasks();

        assertThat(flushes.count).isEqualTo(1);
        for (int frame = 0; frame < 10; frame++) {
            ByteBuf written = channel.readOutbound();
            assertThat(written.getByte(written.writerIndex() - 1)).isEqualTo((byte) frame);
            written.release();
        }
    }

    @Test
    void frames_for_an_ended_session_are_released() {
        session.end(WireFrame.message(new byte[] {1}, Format.JSON));
        var late = WireFrame.message(new byte[] {2}, Format.JSON);
        outbox.add(session, late);

        outbox.handOver();
        channel.runPendingTasks();

        assertThat(late.refCnt()).isZero();
        channel.releaseOutbound();
    }

    @Test
    void bytes_are_queued_once_per_session_until_their_event_loop_takes_them() {
        var frame = WireFrame.message(new byte[100], Format.JSON);
        int length = frame.readableBytes();
        outbox.addAll(List.of(session, session), frame);
        assertThat(bytes.queued()).isEqualTo(2L * length);

        outbox.handOver();
        assertThat(bytes.queued()).isEqualTo(2L * length);
        channel.runPendingTasks();

        assertThat(bytes.queued()).isZero();
        channel.releaseOutbound();
    }

    @Test
    void a_full_outbox_is_emptied() {
        for (int frame = 0; frame < Outbox.MAX_DELIVERIES; frame++) {
            outbox.add(session, WireFrame.ping());
        }
        channel.runPendingTasks();

        assertThat(channel.outboundMessages()).hasSize(Outbox.MAX_DELIVERIES);
        channel.releaseOutbound();
    }
}
