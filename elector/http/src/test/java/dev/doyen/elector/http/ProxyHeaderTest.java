package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.CannotListenException.Port;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the PROXY protocol over real sockets. The test server responds with the client address that it has derived, and
 * with true if the client counts as this machine.
 */
@Timeout(60)
class ProxyHeaderTest {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final EventLoopGroup sockets = Ports.sockets(1, "test");

    @AfterEach
    void end() {
        Ports.end(sockets);
    }

    @Test
    void a_header_of_version_1_contains_the_address() throws Exception {
        InetSocketAddress port = open(TrustedProxies.of(List.of("127.0.0.1"), true));
        assertThat(answer(port, "PROXY TCP4 192.0.2.1 198.51.100.1 4711 80\r\n"))
                .endsWith("192.0.2.1 false");
        assertThat(answer(port, "PROXY TCP6 2001:db8:1:2::1 2001:db8::2 4711 80\r\n"))
                .endsWith("2001:db8:1:2:0:0:0:0/64 false");
    }

    @Test
    void a_header_of_version_2_contains_the_address() throws Exception {
        InetSocketAddress port = open(TrustedProxies.of(List.of("127.0.0.1"), true));
        byte[] header = HexFormat.of()
                .parseHex(
                        "0d0a0d0a000d0a515549540a" + "21" + "11" + "000c" + "c0000201" + "c6336401" + "1267" + "0050");
        assertThat(answer(port, new String(header, StandardCharsets.ISO_8859_1)))
                .endsWith("192.0.2.1 false");
    }

    @Test
    void a_proxy_that_states_no_address_is_the_client_and_not_this_machine() throws Exception {
        InetSocketAddress port = open(TrustedProxies.of(List.of("127.0.0.1"), true));
        assertThat(answer(port, "PROXY UNKNOWN\r\n")).endsWith("127.0.0.1 false");
    }

    @Test
    void a_connection_of_the_proxy_without_a_header_is_closed() throws Exception {
        InetSocketAddress port = open(TrustedProxies.of(List.of("127.0.0.1"), true));
        try (var socket = new RawSocket(port)) {
            assertThat(socket.send(REQUEST).readAll()).isEmpty();
        }
    }

    @Test
    void another_client_cannot_state_an_address() throws Exception {
        InetSocketAddress port = open(TrustedProxies.of(List.of("192.0.2.7"), true));
        assertThat(answer(port, "")).endsWith("127.0.0.1 true");
        try (var socket = new RawSocket(port)) {
            assertThat(socket.send("PROXY TCP4 192.0.2.1 198.51.100.1 4711 80\r\n" + REQUEST)
                            .readAll())
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    private InetSocketAddress open(TrustedProxies proxies) throws CannotListenException {
        return new Ports(proxies, TlsSettings.NONE)
                .open(
                        Port.HUB,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        sockets,
                        ProxyHeaderTest::serve,
                        new ConnectionLimit(10, AddressLimits.DEFAULT));
    }

    private static void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        String text = ClientAddress.of(ctx.channel(), request) + " " + RequestOrigin.isThisMachine(ctx, request);
        HttpReply.sentence(200, text).send(ctx, request);
    }

    private static String answer(InetSocketAddress port, String header) throws IOException {
        try (var socket = new RawSocket(port)) {
            return socket.send(header + REQUEST).readResponse().strip();
        }
    }
}
