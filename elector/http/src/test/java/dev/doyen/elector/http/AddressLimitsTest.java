package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.CannotListenException.Port;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.FullHttpRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the limits of one client address over real sockets. In most tests, the clients state their addresses in headers
 * of the PROXY protocol. The server handles all sockets on one event loop. So after it has responded on one socket, it
 * has counted all earlier sockets.
 */
@Timeout(60)
final class AddressLimitsTest {

    private static final AddressLimits LIMITS = new AddressLimits(2, 1);
    private static final String ANN = "PROXY TCP4 192.0.2.1 198.51.100.1 4711 80\r\n";
    private static final String BOB = "PROXY TCP4 192.0.2.2 198.51.100.1 4711 80\r\n";

    private final EventLoopGroup sockets = Ports.sockets(1, "test");
    private final List<RawSocket> clients = new ArrayList<>();
    private InetSocketAddress port = new InetSocketAddress(0);

    @BeforeEach
    void open() throws Exception {
        open(TrustedProxies.of(List.of("127.0.0.1"), true));
    }

    @AfterEach
    void end() throws Exception {
        for (RawSocket client : clients) {
            client.close();
        }
        Ports.end(sockets);
    }

    @Test
    void a_connection_above_the_limit_of_its_address_is_answered_and_closed() throws Exception {
        assertThat(request(ANN, "/")).startsWith("HTTP/1.1 200 ");
        assertThat(request(ANN, "/")).startsWith("HTTP/1.1 200 ");

        assertThat(client().send(ANN).readAll())
                .startsWith("HTTP/1.1 429 ")
                .containsIgnoringCase("\r\nRetry-After: 5\r\n")
                .contains("There are already 2 open connections from 192.0.2.1;");
        assertThat(request(BOB, "/")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void many_rejected_connections_are_closed_without_an_answer() throws Exception {
        for (int i = 0; i < 4; i++) {
            client().send(ANN + "GET / HTTP/1.1\r\nHost: a\r\n\r\n").readResponse();
        }
        assertThat(client().send(ANN).readAll()).isEmpty();
    }

    @Test
    void a_closed_connection_no_longer_counts() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(client().send(ANN + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .readAll())
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void the_addresses_of_an_ipv6_network_count_together() throws Exception {
        request("PROXY TCP6 2001:db8:1:2::1 2001:db8::2 4711 80\r\n", "/");
        request("PROXY TCP6 2001:db8:1:2:3::2 2001:db8::2 4711 80\r\n", "/");

        assertThat(request("PROXY TCP6 2001:db8:1:2:ffff::3 2001:db8::2 4711 80\r\n", "/"))
                .startsWith("HTTP/1.1 429 ")
                .contains("from 2001:db8:1:2:0:0:0:0/64;");
    }

    @Test
    void a_connection_without_a_proxy_counts_for_its_socket() throws Exception {
        open(TrustedProxies.NONE);
        request("", "/");
        request("", "/");

        assertThat(request("", "/")).startsWith("HTTP/1.1 429 ").contains("from 127.0.0.1;");
    }

    @Test
    void the_connections_of_a_proxy_that_states_addresses_in_requests_do_not_count_together() throws Exception {
        open(TrustedProxies.of(List.of("127.0.0.1"), false));
        for (int i = 0; i < 5; i++) {
            assertThat(request("", "/")).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void a_stream_above_the_limit_of_its_address_is_rejected() throws Exception {
        open(TrustedProxies.of(List.of("127.0.0.1"), false));
        stream("192.0.2.1").readThrough("open");

        assertThat(stream("192.0.2.1").readResponse())
                .startsWith("HTTP/1.1 429 ")
                .contains("There are already 1 event streams from 192.0.2.1;");
        stream("192.0.2.2").readThrough("open");
    }

    private void open(TrustedProxies proxies) throws CannotListenException {
        port = new Ports(proxies, TlsSettings.NONE)
                .open(
                        Port.HUB,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        sockets,
                        AddressLimitsTest::serve,
                        new ConnectionLimit(100, LIMITS));
    }

    private static void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (!request.uri().equals("/stream")) {
            HttpReply.sentence(200, "served").send(ctx, request);
            return;
        }
        EventStream.open(ctx, request, Map.of())
                .ifPresentOrElse(
                        rejection -> HttpReply.sentence(429, rejection).send(ctx, request),
                        () -> ctx.channel().writeAndFlush(EventStream.content("open")));
    }

    private RawSocket client() throws Exception {
        var client = new RawSocket(port);
        clients.add(client);
        return client;
    }

    private String request(String header, String path) throws Exception {
        return client().send(header + "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n")
                .readResponse();
    }

    private RawSocket stream(String address) throws Exception {
        return client().send("GET /stream HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + address + "\r\n\r\n");
    }
}
