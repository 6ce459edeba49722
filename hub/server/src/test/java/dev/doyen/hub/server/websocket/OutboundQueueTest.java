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
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class OutboundQueueTest {

    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final EventLoop loop = new DefaultEventLoop();
    private final OutboundBytes bytes = new OutboundBytes();
    private final CountDownLatch loopMayGoOn = new CountDownLatch(1);
    private final FlushCount flushes = new FlushCount();
    private final EmbeddedChannel channel = new EmbeddedChannel(flushes);
    private final Session session = new Session(
            new SessionId(1),
            ConnectRequest.of(Map.of(), ""),
            channel,
            new FrameCodec(1_024),
            SessionLimits.DEFAULT,
            new FakeHub().loop(new FrameCodec(1_024), StrictClaims.withElection("e")));

    private static final class FlushCount extends ChannelOutboundHandlerAdapter {
        private int count;
        private final CountDownLatch second = new CountDownLatch(2);

        @Override
        public void flush(ChannelHandlerContext ctx) {
            count++;
            second.countDown();
            ctx.flush();
        }
    }

    /** Keeps the event loop busy until {@code loopMayGoOn} opens. */
    private void holdUp() {
        loop.execute(() -> {
            try {
                loopMayGoOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static OutboundQueue.Delivery ping(Session to) {
        return new OutboundQueue.Delivery(List.of(to), WireFrame.ping(), OutboundQueue.Then.GO_ON);
    }

    /** Returns a list of {@code size} receivers that throws an Error at each access. */
    private static List<Session> failing(int size) {
        return new AbstractList<>() {
            @Override
            public Session get(int index) {
                throw new OutOfMemoryError("on purpose");
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    @Test
    void an_Error_during_a_write_does_not_block_later_writes() throws Exception { // L8
        var queue = new OutboundQueue(loop, bytes);
        queue.add(new OutboundQueue.Delivery(failing(1), WireFrame.ping(), OutboundQueue.Then.GO_ON));
        queue.handOver();
        loop.submit(() -> {}).get(30, TimeUnit.SECONDS);
        queue.add(ping(session));
        queue.handOver();
        loop.submit(() -> {}).get(30, TimeUnit.SECONDS);

        assertThat(channel.outboundMessages()).hasSize(1);
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void an_Error_during_a_write_releases_all_frames_of_the_batch() throws Exception {
        var queue = new OutboundQueue(loop, bytes);
        var frames = new ArrayList<ByteBuf>();
        for (var to : List.of(List.of(session, session), failing(2), List.of(session))) {
            var frame = WireFrame.message(new byte[] {1}, Format.JSON);
            frames.add(frame);
            queue.add(new OutboundQueue.Delivery(to, frame, OutboundQueue.Then.GO_ON));
        }
        queue.handOver();
        loopIsThrough();

        assertThat(frames).allSatisfy(frame -> assertThat(frame.refCnt()).isZero());
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void a_loop_that_is_behind_flushes_once() throws Exception {
        var queue = new OutboundQueue(loop, bytes);
        holdUp();
        for (int batch = 0; batch < 5; batch++) {
            queue.add(ping(session));
            queue.handOver();
        }
        loopMayGoOn.countDown();
        loop.submit(() -> {}).get(60, TimeUnit.SECONDS);

        assertThat(channel.outboundMessages()).hasSize(5);
        assertThat(flushes.count).isEqualTo(1);
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void the_hub_waits_for_an_overloaded_loop() throws Exception {
        var queue = new OutboundQueue(loop, bytes, 10, 0);
        holdUp();
        for (int delivery = 0; delivery < 10; delivery++) {
            queue.add(ping(session));
            queue.handOver();
        }
        var handedOver = new CountDownLatch(1);
        var hub = new Thread(() -> {
            queue.add(ping(session));
            queue.handOver();
            handedOver.countDown();
        });
        hub.start();
        while (hub.getState() != Thread.State.TIMED_WAITING) {
            assertThat(handedOver.getCount())
                    .as("the eleventh batch is not handed over yet")
                    .isEqualTo(1);
            Thread.onSpinWait();
        }
        loopMayGoOn.countDown();

        assertThat(handedOver.await(60, TimeUnit.SECONDS)).isTrue();
        loop.submit(() -> {}).get(60, TimeUnit.SECONDS);
        loop.submit(() -> {}).get(60, TimeUnit.SECONDS);
        assertThat(channel.outboundMessages()).hasSize(11);
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void a_batch_above_the_limit_is_written_alone() throws Exception {
        var queue = new OutboundQueue(loop, bytes, 10, 0);
        for (int delivery = 0; delivery < 50; delivery++) {
            queue.add(ping(session));
        }
        queue.handOver();
        loop.submit(() -> {}).get(60, TimeUnit.SECONDS);
        assertThat(channel.outboundMessages()).hasSize(50);
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private static OutboundQueue.Delivery toMany(Session to, int count) {
        return new OutboundQueue.Delivery(Collections.nCopies(count, to), WireFrame.ping(), OutboundQueue.Then.GO_ON);
    }

    /** Returns the number of pings that were written. One buffer can contain several pings. */
    private int written() {
        int bytes = 0;
        for (Object each : channel.outboundMessages()) {
            bytes += ((ByteBuf) each).readableBytes();
        }
        return bytes / WireFrame.ping().readableBytes();
    }

    private void loopIsThrough() throws Exception {
        loop.submit(() -> {}).get(60, TimeUnit.SECONDS);
    }

    @Test
    void a_loop_that_wrote_to_many_pauses_until_a_large_batch() throws Exception {
        var queue = new OutboundQueue(loop, bytes, OutboundQueue.MAX_UNDER_WAY, HOUR_NANOS);
        queue.add(toMany(session, OutboundQueue.MANY));
        queue.handOver();
        loopIsThrough();
        assertThat(flushes.count).isEqualTo(1);

        int waiting = 0;
        while (waiting + OutboundQueue.MANY < OutboundQueue.MOST_AT_REST) {
            queue.add(toMany(session, OutboundQueue.MANY));
            queue.handOver();
            waiting += OutboundQueue.MANY;
        }
        loopIsThrough();
        assertThat(written()).isEqualTo(OutboundQueue.MANY);

        queue.add(toMany(session, OutboundQueue.MANY));
        queue.handOver();
        loopIsThrough();
        assertThat(written()).isEqualTo(OutboundQueue.MANY + OutboundQueue.MOST_AT_REST);
        assertThat(flushes.count).isEqualTo(2);
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void a_pause_ends_by_its_timer() throws Exception {
        var queue = new OutboundQueue(loop, bytes, OutboundQueue.MAX_UNDER_WAY, TimeUnit.MILLISECONDS.toNanos(20));
        queue.add(toMany(session, OutboundQueue.MANY));
        queue.handOver();
        loopIsThrough();
        queue.add(ping(session));
        queue.handOver();
        assertThat(flushes.second.await(60, TimeUnit.SECONDS)).isTrue();
        loopIsThrough();
        assertThat(written()).isEqualTo(OutboundQueue.MANY + 1);
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void frames_of_a_paused_loop_are_released_at_shutdown() throws Exception {
        var queue = new OutboundQueue(loop, bytes, OutboundQueue.MAX_UNDER_WAY, HOUR_NANOS);
        queue.add(toMany(session, OutboundQueue.MANY));
        queue.handOver();
        loopIsThrough();
        var frame = WireFrame.message(new byte[] {1}, Format.JSON);
        queue.add(new OutboundQueue.Delivery(List.of(session), frame, OutboundQueue.Then.GO_ON));
        queue.handOver();
        assertThat(frame.refCnt()).isEqualTo(1);

        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).get(60, TimeUnit.SECONDS);

        assertThat(frame.refCnt()).isZero();
        channel.releaseOutbound();
    }

    @Test
    void a_loop_that_wrote_to_few_does_not_pause() throws Exception {
        var queue = new OutboundQueue(loop, bytes, OutboundQueue.MAX_UNDER_WAY, HOUR_NANOS);
        for (int batch = 1; batch <= 3; batch++) {
            queue.add(toMany(session, OutboundQueue.MANY - 1));
            queue.handOver();
            loopIsThrough();
            assertThat(flushes.count).isEqualTo(batch);
        }
        channel.releaseOutbound();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void frames_for_a_closed_loop_are_released() throws Exception {
        var queue = new OutboundQueue(loop, bytes, 1, 0);
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).get(60, TimeUnit.SECONDS);
        for (int batch = 0; batch < 3; batch++) {
            var frame = WireFrame.message(new byte[] {1}, Format.JSON);
            queue.add(new OutboundQueue.Delivery(List.of(session), frame, OutboundQueue.Then.GO_ON));
            queue.handOver();
            if (batch == 0) {
                assertThat(frame.refCnt()).isZero();
            }
        }
    }
}
