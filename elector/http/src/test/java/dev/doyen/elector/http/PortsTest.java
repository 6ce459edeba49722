package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.CannotListenException.Port;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PortsTest {

    private final EventLoopGroup sockets = Ports.sockets(1, "test");

    @AfterEach
    void end() {
        Ports.end(sockets);
    }

    @Test
    void the_operating_system_checks_whether_a_silent_peer_still_exists() throws Exception {
        InetSocketAddress port = new Ports(TlsSettings.NONE)
                .open(
                        Port.HUB,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        sockets,
                        (ctx, request) -> HttpReply.sentence(
                                        200,
                                        String.valueOf(ctx.channel().config().getOption(ChannelOption.SO_KEEPALIVE)))
                                .send(ctx, request),
                        new ConnectionLimit(10, AddressLimits.DEFAULT));
        try (var socket = new RawSocket(port)) {
            assertThat(socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readResponse())
                    .endsWith("true\n");
        }
    }
}
