package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.LateReply;
import dev.doyen.hub.server.claims.StrictClaims;
import dev.doyen.hub.wire.FrameCodec;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests requests that the hub does not answer, requests that make the hub fail, requests above the limits, and the end
 * of the hub.
 */
@Timeout(60)
final class RestHandlerTest {

    private static final long ANSWER_MILLIS = 5_000;

    private final FakeHub fake = new FakeHub();
    private final HubLoop loop = anotherLoop();
    private final RestHandler handler = handlerOf(loop);

    private HubLoop anotherLoop() {
        return fake.loop(new FrameCodec(1_024), StrictClaims.withElection("x"));
    }

    private static RestHandler handlerOf(HubLoop loop) {
        return new RestHandler(loop, new RestLimits(2, 100, ANSWER_MILLIS));
    }

    @AfterEach
    void stop() {
        fake.goOn();
        loop.stop();
    }

    /** A connection whose clock the test advances. */
    private final class Peer {
        private final EmbeddedChannel channel;

        private Peer() {
            this(handler);
        }

        private Peer(RestHandler handler) {
            channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext ctx, Object message) {
                    var request = (FullHttpRequest) message;
                    try {
                        handler.serve(ctx, request);
                    } finally {
                        request.release();
                    }
                }
            });
            channel.freezeTime();
        }

        Peer send(String method, String path, int bodyBytes) {
            channel.writeInbound(new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1,
                    HttpMethod.valueOf(method),
                    path,
                    Unpooled.wrappedBuffer(new byte[bodyBytes])));
            return this;
        }

        /** Waits for the answer. */
        String received() {
            FullHttpResponse response = channel.readOutbound();
            while (response == null) {
                assertThat(Thread.currentThread().isInterrupted())
                        .as("interrupted before the answer")
                        .isFalse();
                Thread.onSpinWait();
                channel.runPendingTasks();
                response = channel.readOutbound();
            }
            try {
                return response.status().code() + " " + response.content().toString(StandardCharsets.UTF_8);
            } finally {
                response.release();
            }
        }

        Peer pass(long millis) {
            channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
            return this;
        }
    }

    @Test
    void a_request_timeout_is_answered_and_its_socket_stays_open() throws Exception {
        var peer = new Peer().send("GET", "/channels", 0);
        assertThat(fake.nextInput()).isEqualTo("requested GET /channels with 0 bytes");
        assertThat(peer.pass(ANSWER_MILLIS).received())
                .startsWith("503 ")
                .contains("50003", "did not answer within 5000 ms");
        assertThat(LateReply.isOwed(peer.channel)).isFalse();
        assertThat(peer.send("GET", "/", 0).received()).startsWith("404 ");
        assertThat(peer.pass(ANSWER_MILLIS).channel.<Object>readOutbound()).isNull();
    }

    @Test
    void a_failed_request_is_answered_and_the_hub_continues() {
        assertThat(new Peer().send("GET", "/stats", 0).received())
                .startsWith("500 ")
                .contains("50000");
        assertThat(new Peer().send("GET", "/", 0).received()).startsWith("404 ");
    }

    @Test
    void waiting_requests_are_limited() {
        var first = new Peer().send("GET", "/channels", 0);
        var second = new Peer().send("GET", "/channels", 0);
        assertThat(new Peer().send("GET", "/", 0).received())
                .startsWith("503 ")
                .contains("limit of concurrent requests");
        assertThat(LateReply.isOwed(second.channel)).isTrue();
        assertThat(first.pass(ANSWER_MILLIS).received()).startsWith("503 ");
        assertThat(new Peer().send("GET", "/", 0).received())
                .as("another request is accepted again")
                .startsWith("404 ");
    }

    @Test
    void waiting_bytes_are_limited() {
        var first = new Peer().send("GET", "/channels", 60);
        assertThat(new Peer().send("GET", "/", 60).received()).startsWith("503 ");
        assertThat(new Peer().send("GET", "/", 30).received()).startsWith("404 ");
        first.pass(ANSWER_MILLIS).received();
        assertThat(new Peer().send("GET", "/", 60).received()).startsWith("404 ");
    }

    @Test
    void a_stopped_hub_answers_at_once() {
        var stopped = anotherLoop();
        stopped.stop();
        assertThat(new Peer(handlerOf(stopped)).send("GET", "/", 0).received())
                .startsWith("503 ")
                .contains("the hub is shutting down and has not carried out the request");
    }

    @Test
    void a_hub_that_stops_answers_waiting_requests_at_once() throws Exception {
        var stopping = anotherLoop();
        var peer = new Peer(handlerOf(stopping)).send("GET", "/channels", 0);
        assertThat(fake.nextInput()).isEqualTo("requested GET /channels with 0 bytes");
        stopping.stop();
        assertThat(peer.received())
                .startsWith("503 ")
                .contains("the hub is shutting down; the request may have been carried out");
    }
}
