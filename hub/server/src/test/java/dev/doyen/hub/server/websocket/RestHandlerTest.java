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

/** Tests requests that the hub does not answer, fails on, or has no room for. */
@Timeout(180)
final class RestHandlerTest {

    private static final long ANSWER_MILLIS = 5_000;

    private final FakeHub fake = new FakeHub();
    private final HubLoop loop = fake.loop(new FrameCodec(1_024), StrictClaims.knowing("x"));
    private final RestHandler site = new RestHandler(loop, new RestLimits(2, 100, ANSWER_MILLIS));

    @AfterEach
    void stop() {
        fake.goOn();
        loop.stop();
    }

    /** One connection whose clock the test advances. */
    private final class Peer {
        private final EmbeddedChannel channel;

        private Peer() {
            this(site);
        }

        private Peer(RestHandler asked) {
            channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext ctx, Object message) {
                    var request = (FullHttpRequest) message;
                    try {
                        asked.serve(ctx, request);
                    } finally {
                        request.release();
                    }
                }
            });
            channel.freezeTime();
        }

        Peer ask(String method, String path, int bodyBytes) {
            channel.writeInbound(new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1,
                    HttpMethod.valueOf(method),
                    path,
                    Unpooled.wrappedBuffer(new byte[bodyBytes])));
            return this;
        }

        /** Waits for the answer. */
        String heard() {
            FullHttpResponse response = channel.readOutbound();
            while (response == null) {
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
    void a_request_that_is_not_answered_in_time_is_told_so_and_its_socket_goes_on() throws Exception {
        var peer = new Peer().ask("GET", "/channels", 0);
        assertThat(fake.told()).isEqualTo("requested GET /channels with 0 bytes");
        assertThat(peer.pass(ANSWER_MILLIS).heard())
                .startsWith("503 ")
                .contains("50003", "did not answer within 5000 ms");
        assertThat(LateReply.isOwed(peer.channel)).isFalse();
        assertThat(peer.ask("GET", "/", 0).heard()).startsWith("404 ");
        assertThat(peer.pass(ANSWER_MILLIS).channel.<Object>readOutbound()).isNull();
    }

    @Test
    void a_request_that_the_hub_fails_on_is_told_so_and_the_hub_goes_on() {
        assertThat(new Peer().ask("GET", "/stats", 0).heard())
                .startsWith("500 ")
                .contains("50000");
        assertThat(new Peer().ask("GET", "/", 0).heard()).startsWith("404 ");
    }

    @Test
    void only_so_many_requests_wait_at_once() {
        var first = new Peer().ask("GET", "/channels", 0);
        var second = new Peer().ask("GET", "/channels", 0);
        assertThat(new Peer().ask("GET", "/", 0).heard()).startsWith("503 ").contains("as many requests as");
        assertThat(LateReply.isOwed(second.channel)).isTrue();
        assertThat(first.pass(ANSWER_MILLIS).heard()).startsWith("503 ");
        assertThat(new Peer().ask("GET", "/", 0).heard())
                .as("there is room again")
                .startsWith("404 ");
    }

    @Test
    void only_so_many_bytes_wait_at_once() {
        var first = new Peer().ask("GET", "/channels", 60);
        assertThat(new Peer().ask("GET", "/", 60).heard()).startsWith("503 ");
        assertThat(new Peer().ask("GET", "/", 30).heard()).startsWith("404 ");
        first.pass(ANSWER_MILLIS).heard();
        assertThat(new Peer().ask("GET", "/", 60).heard()).startsWith("404 ");
    }

    @Test
    void a_hub_that_has_stopped_answers_nothing_and_the_deadline_does() {
        var stopped = new FakeHub().loop(new FrameCodec(1_024), StrictClaims.knowing("x"));
        stopped.stop();
        var peer = new Peer(new RestHandler(stopped, new RestLimits(2, 100, ANSWER_MILLIS)));
        assertThat(peer.ask("GET", "/", 0).pass(ANSWER_MILLIS).heard()).startsWith("503 ");
    }
}
