package dev.doyen.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.SessionId;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.server.claims.StrictClaims;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LaneTest {

    private final EventLoop loop = new DefaultEventLoop();
    private final CountDownLatch loopMayGoOn = new CountDownLatch(1);
    private final FlushCount flushes = new FlushCount();
    private final EmbeddedChannel channel = new EmbeddedChannel(flushes);
    private final Session session = new Session(
            new SessionId(1),
            Format.JSON,
            channel,
            new FrameCodec(1_024),
            SessionLimits.DEFAULT,
            new FakeHub().loop(new FrameCodec(1_024), StrictClaims.knowing("e")));

    private static final class FlushCount extends ChannelOutboundHandlerAdapter {
        private int count;

        @Override
        public void flush(ChannelHandlerContext ctx) {
            count++;
            ctx.flush();
        }
    }

    /** The loop is busy with something else. */
    private void holdUp() {
        loop.execute(() -> {
            try {
                loopMayGoOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static Lane.Delivery ping(Session to) {
        return new Lane.Delivery(List.of(to), WireFrame.ping(), Lane.Then.GO_ON);
    }

    @Test
    void a_loop_that_is_behind_flushes_once_for_all_that_has_come() throws Exception {
        var lane = new Lane(loop);
        holdUp();
        for (int batch = 0; batch < 5; batch++) {
            lane.add(ping(session));
            lane.handOver();
        }
        loopMayGoOn.countDown();
        loop.submit(() -> {}).get(10, TimeUnit.SECONDS);

        assertThat(channel.outboundMessages()).hasSize(5);
        assertThat(flushes.count).isEqualTo(1);
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void the_hub_waits_for_a_loop_that_has_too_much_to_do() throws Exception {
        var lane = new Lane(loop, 10);
        holdUp();
        for (int delivery = 0; delivery < 10; delivery++) {
            lane.add(ping(session));
            lane.handOver();
        }
        var handedOver = new CountDownLatch(1);
        var hub = new Thread(() -> {
            lane.add(ping(session));
            lane.handOver();
            handedOver.countDown();
        });
        hub.start();
        while (hub.getState() != Thread.State.TIMED_WAITING) {
            assertThat(handedOver.getCount()).as("the eleventh is under way").isEqualTo(1);
            Thread.onSpinWait();
        }
        loopMayGoOn.countDown();

        assertThat(handedOver.await(10, TimeUnit.SECONDS)).isTrue();
        loop.submit(() -> {}).get(10, TimeUnit.SECONDS);
        loop.submit(() -> {}).get(10, TimeUnit.SECONDS);
        assertThat(channel.outboundMessages()).hasSize(11);
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void a_batch_larger_than_all_room_goes_when_nothing_else_is_under_way() throws Exception {
        var lane = new Lane(loop, 10);
        for (int delivery = 0; delivery < 50; delivery++) {
            lane.add(ping(session));
        }
        lane.handOver();
        loop.submit(() -> {}).get(10, TimeUnit.SECONDS);
        assertThat(channel.outboundMessages()).hasSize(50);
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void nobody_waits_for_a_loop_that_is_shut_down_and_its_frames_are_let_go() throws Exception {
        var lane = new Lane(loop, 1);
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS);
        for (int batch = 0; batch < 3; batch++) {
            var frame = WireFrame.message(new byte[] {1}, Format.JSON);
            lane.add(new Lane.Delivery(List.of(session), frame, Lane.Then.GO_ON));
            lane.handOver();
            if (batch == 0) {
                assertThat(frame.refCnt()).isZero();
            }
        }
    }
}
