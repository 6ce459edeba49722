package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.support.SharedKey;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the addresses on which a wire listens and to which it connects. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class TcpWireAddressTest {

    private final Arrivals atA = new Arrivals();
    private final Arrivals atB = new Arrivals();
    private final WireLog log = new WireLog();
    private final List<TcpWire> wires = new ArrayList<>();

    @AfterEach
    void close() {
        wires.forEach(TcpWire::close);
        log.close();
    }

    @Test
    void a_port_in_use_is_reported_with_a_remedy() throws Exception {
        try (var taken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            assertThatThrownBy(() -> TcpWire.listening(
                            address, Optional.empty(), Optional.of(WireKeys.KEY), new TestLimits().system()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageStartingWith("this member of the quorum cannot listen on " + address + " (")
                    .hasMessageEndingWith(
                            "); choose another port, or stop the process that uses it; if others reach this process"
                                    + " at an address that its machine does not have, add listen=host:port");
        }
    }

    @Test
    void an_invalid_address_is_rejected() {
        for (String wrong : List.of("7800", ":7800", "host:", "host:65536", "host:port")) {
            rejected(
                    wrong,
                    Optional.of(WireKeys.KEY),
                    "\"" + wrong + "\" is not the address of a member; write host:port, such as 10.0.0.1:7800");
        }
        rejected(
                "0.0.0.0:7800",
                Optional.of(WireKeys.KEY),
                "this member of the quorum cannot listen on 0.0.0.0:7800, which means every address;"
                        + " give the address at which other members reach this process, and also listen=0.0.0.0:7800");
        rejected(
                "192.0.2.1:7800",
                Optional.empty(),
                "this member of the quorum cannot listen on 192.0.2.1:7800, which other machines can reach, without a"
                        + " secret; give all members the same secret of at least 16 characters, or listen on"
                        + " 127.0.0.1");
        assertThatThrownBy(() -> TcpWire.listening(
                        "[none]:7800", Optional.empty(), Optional.of(WireKeys.KEY), new TestLimits().system()))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("this member of the quorum cannot listen on [none]:7800: its host is unknown;"
                        + " name the host at which other members reach this process");
    }

    @Test
    void without_a_secret_nothing_is_sent_beyond_loopback() throws Exception {
        TcpWire a = wire(atA);
        a.peer("192.0.2.1:7800").send(text("x"));
        assertThat(atA.nextLost()).isEqualTo("192.0.2.1:7800");
        assertThat(log.next())
                .startsWith("a connection of the quorum was closed (192.0.2.1:7800): its address is not on loopback,"
                        + " and this process has no secret; give all members the same secret");
    }

    @Test
    void the_addresses_are_limited() throws Exception {
        TcpWire a = wire(atA);
        TcpWire b = wire(atB);
        for (int i = 0; i < TcpWire.MAX_ADDRESSES; i++) {
            a.peer("no address " + i).send(text("x"));
        }
        a.peer(b.address()).send(text("x"));
        for (int i = 0; i < TcpWire.MAX_ADDRESSES; i++) {
            assertThat(atA.nextLost()).startsWith("no address ");
        }
        assertThat(atB.waiting()).isZero();
        assertThat(a.isReachable(b.address())).isFalse();
    }

    private static void rejected(String address, Optional<SharedKey> key, String message) {
        assertThatThrownBy(() -> TcpWire.listening(address, Optional.empty(), key, new TestLimits().system()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private TcpWire wire(Wire.Receiver receiver) {
        var wire = TcpWire.listening("127.0.0.1:0", Optional.empty(), Optional.empty(), new TestLimits().system());
        wires.add(wire);
        wire.start(receiver);
        return wire;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
