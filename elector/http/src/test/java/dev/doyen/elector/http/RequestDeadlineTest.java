package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests {@link RequestDeadline} with Netty's embedded channel, whose clock the test advances. */
final class RequestDeadlineTest {

    private final ConnectionLimit connections = new ConnectionLimit(1, AddressLimits.DEFAULT);
    private final HttpHandler handler =
            (ctx, request) -> HttpReply.sentence(200, "served").send(ctx, request);

    private EmbeddedChannel channel() {
        var channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(new HttpPipeline(handler, connections, Optional.empty(), 1_000, 3_000));
        channel.pipeline().fireChannelActive();
        return channel;
    }

    @Test
    void a_slow_request_is_closed_at_its_deadline() {
        var channel = channel();
        for (int millis = 0; millis < 900; millis += 100) {
            channel.writeInbound(bytes(millis == 0 ? "GET / HTTP/1.1\r\nX: " : "x"));
            pass(channel, 100);
        }
        assertThat(channel.isOpen()).isTrue();

        pass(channel, 100);

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void a_silent_socket_is_closed() {
        var channel = channel();

        pass(channel, 1_000);

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void the_next_request_after_a_response_has_a_longer_deadline() {
        var channel = channel();
        channel.writeInbound(bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        channel.releaseOutbound();

        pass(channel, 2_999);
        assertThat(channel.isOpen()).isTrue();
        pass(channel, 1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void a_socket_above_the_limit_is_closed_at_once() {
        var first = channel();
        var second = channel();

        assertThat(first.isOpen()).isTrue();
        assertThat(second.isOpen()).isFalse();
        assertThat(connections.openConnections()).isEqualTo(1);
        first.close();
        assertThat(connections.openConnections()).isZero();
    }

    private static Object bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    private static void pass(EmbeddedChannel channel, long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }
}
