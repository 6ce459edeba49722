package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which Host headers are local in a request over loopback. */
final class RequestOriginTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter()) {
        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        }
    };
    private final ChannelHandlerContext ctx = channel.pipeline().firstContext();

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost:4040", "a.b.localhost", "127.0.0.1", "192.0.2.7:80", "[::ffff:192.0.2.7]", "pod"})
    void a_local_name_or_an_address_is_not_foreign(String host) {
        assertThat(RequestOrigin.hasForeignHost(ctx, withHost(host))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "localhost.evil.example:4040", "a.localhost.", "127.0.0.1.evil.example"})
    void a_domain_name_is_foreign(String host) {
        assertThat(RequestOrigin.hasForeignHost(ctx, withHost(host))).isTrue();
    }

    @Test
    void a_name_that_is_too_long_for_DNS_is_foreign() {
        assertThat(RequestOrigin.hasForeignHost(ctx, withHost("a.".repeat(20_000) + "localhost")))
                .isTrue();
    }

    private static FullHttpRequest withHost(String host) {
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set(HttpHeaderNames.HOST, host);
        return request;
    }
}
