package dev.doyen.elector.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {

    private static final TrustedProxies PROXIES = TrustedProxies.of(List.of("127.0.0.1", "10.0.0.0/8", "::1"), false);

    @ParameterizedTest
    @CsvSource({
        "192.0.2.77,192.0.2.77",
        "2001:db8:1:2:aaaa:bbbb:cccc:dddd,2001:db8:1:2:0:0:0:0/64",
        "2001:db8:1:2::1,2001:db8:1:2:0:0:0:0/64",
        "2001:db8:1:3::1,2001:db8:1:3:0:0:0:0/64",
        "::ffff:192.0.2.77,192.0.2.77",
    })
    void addresses_of_one_ipv6_network_are_one_client(String remote, String counted) {
        assertThat(ClientAddress.of(channel(remote, TrustedProxies.NONE), request()))
                .isEqualTo(counted);
    }

    @Test
    void an_unknown_address_is_empty() {
        assertThat(ClientAddress.of(new EmbeddedChannel(), request())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1",
                "192.0.2.1:4711",
                "198.51.100.9, 192.0.2.1",
                "192.0.2.1, 10.1.2.3",
                "127.0.0.1, 192.0.2.1, 10.1.2.3, 10.9.9.9"
            })
    void behind_trusted_proxies_the_client_is_the_last_address_that_is_not_trusted(String header) {
        assertThat(ClientAddress.of(channel("127.0.0.1", PROXIES), request(header)))
                .isEqualTo("192.0.2.1");
    }

    @Test
    void several_headers_are_read_as_one_list() {
        assertThat(ClientAddress.of(channel("10.0.0.1", PROXIES), request("192.0.2.1", "10.0.0.2")))
                .isEqualTo("192.0.2.1");
        assertThat(ClientAddress.of(channel("::1", PROXIES), request("[2001:db8:1:2::1]:4711")))
                .isEqualTo("2001:db8:1:2:0:0:0:0/64");
    }

    @Test
    void a_client_that_is_no_trusted_proxy_cannot_choose_its_address() {
        assertThat(ClientAddress.of(channel("192.0.2.1", PROXIES), request("198.51.100.9")))
                .isEqualTo("192.0.2.1");
        assertThat(ClientAddress.of(channel("127.0.0.1", TrustedProxies.NONE), request("198.51.100.9")))
                .isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "", "localhost", "192.0.2.1, _hidden", "999.1.1.1"})
    void the_proxy_is_the_client_if_it_states_no_address(String header) {
        assertThat(ClientAddress.of(channel("127.0.0.1", PROXIES), request(header)))
                .isEqualTo("127.0.0.1");
    }

    @Test
    void a_long_list_is_read_from_the_end() {
        assertThat(ClientAddress.of(channel("127.0.0.1", PROXIES), request("10.0.0.1,".repeat(2_000) + "192.0.2.1")))
                .isEqualTo("192.0.2.1");
    }

    @Test
    void the_address_of_the_proxy_protocol_replaces_that_of_the_socket() {
        var channel = channel("127.0.0.1", PROXIES);
        assertThat(ClientAddress.isFromProxy(channel)).isFalse();
        ClientAddress.setStated(channel, "192.0.2.1");
        assertThat(ClientAddress.isFromProxy(channel)).isTrue();
        assertThat(ClientAddress.of(channel, request("198.51.100.9"))).isEqualTo("192.0.2.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/", "10.0.0.0/x", ""})
    void a_malformed_address_of_a_proxy_is_rejected(String address) {
        assertThatThrownBy(() -> TrustedProxies.of(List.of(address), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + address
                        + "\" is not an IP address or network; write it like 127.0.0.1, ::1 or 10.0.0.0/8");
    }

    @Test
    void too_many_proxies_and_a_protocol_without_proxies_are_rejected() {
        assertThatThrownBy(() -> TrustedProxies.of(List.of(), true))
                .hasMessageContaining("the PROXY protocol needs trusted-proxies");
        assertThatThrownBy(() -> TrustedProxies.of(java.util.Collections.nCopies(101, "127.0.0.1"), false))
                .hasMessage("the list has 101 addresses; the limit is 100");
    }

    private static EmbeddedChannel channel(String remote, TrustedProxies proxies) {
        var channel = new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(remote, 1);
            }
        };
        channel.attr(ClientAddress.PROXIES).set(proxies);
        return channel;
    }

    private static HttpRequest request(String... forwardedFor) {
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        for (String value : forwardedFor) {
            request.headers().add("X-Forwarded-For", value);
        }
        return request;
    }
}
