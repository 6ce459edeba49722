package dev.doyen.hub.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which addresses count as one network. */
class ClientNetworkTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "'', ''",
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::/64",
        "2001:0db8:0001:0002:0003:0004:0005:0006, 2001:db8:1:2::/64",
        "2001:DB8:1:2::, 2001:db8:1:2::/64",
        "2001:db8::1, 2001:db8:0:0::/64",
        "2001:db8::2:3:4:5:6, 2001:db8:0:2::/64",
        "::1, 0:0:0:0::/64",
        "fe80::1%eth0, fe80:0:0:0::/64",
        "::ffff:192.0.2.1, 192.0.2.1",
    })
    void an_ipv6_address_counts_for_its_first_64_bits(String address, String network) {
        assertThat(ClientNetwork.of(address)).isEqualTo(network);
    }
}
