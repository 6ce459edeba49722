package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.testkit.HeldPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the log messages of a member if another member does not run or closes the connection. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class MissingMemberLogTest {

    private final TestLimits limits = new TestLimits();
    private final Arrivals arrivals = new Arrivals();
    private final WireLog log = new WireLog(Level.INFO);
    private final List<TcpWire> wires = new ArrayList<>();

    @AfterEach
    void close() {
        wires.forEach(TcpWire::close);
        log.close();
    }

    @Test
    void a_member_that_is_not_running_yet_is_reported_once_without_a_hint_about_the_secret() throws Exception {
        try (HeldPorts ports = HeldPorts.withAnother(1)) {
            int port = ports.take(1).get(0);
            ports.release(port);
            String late = "127.0.0.1:" + port;
            TcpWire first = wire("127.0.0.1:0");
            attempt(first, late, 3);

            assertThat(log.next())
                    .contains(late + " is not reachable yet (", "this process tries again until it is")
                    .doesNotContain("secret");
            assertThat(log.waiting()).isEmpty();

            TcpWire second = wire(late);
            Waiting.until("the member is reached", () -> {
                first.peer(late).send(text("x"));
                return first.isReachable(late);
            });
            second.close();
            Waiting.until("the member is not reached any more", () -> !first.isReachable(late));
            attempt(first, late, 1);
            assertThat(log.waiting()).isEmpty();
        }
    }

    @Test
    void only_a_process_that_keeps_closing_connections_is_a_warning() throws Exception {
        try (var starting = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var closing = new Thread(() -> closeEach(starting));
            closing.setDaemon(true);
            closing.start();
            String address = "127.0.0.1:" + starting.getLocalPort();
            TcpWire wire = wire("127.0.0.1:0");
            attempt(wire, address, FailedAttempts.REJECTIONS - 1);
            assertThat(log.next()).contains("is not reachable yet");
            assertThat(log.waiting()).isEmpty();

            for (int i = 0; i < 1_000 && log.waiting().isEmpty(); i++) {
                attempt(wire, address, 1);
            }
            assertThat(log.next()).contains("20 times in a row").doesNotContain("secret");
        }
    }

    private static void closeEach(ServerSocket listening) {
        while (!listening.isClosed()) {
            try (Socket next = listening.accept()) {
                next.shutdownOutput();
            } catch (IOException e) {
                // The listening socket or this connection was closed.
            }
        }
    }

    /** Makes several attempts to connect, and waits until the wire has reported each attempt as failed. */
    private void attempt(TcpWire wire, String address, int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            wire.peer(address).send(text("x"));
            assertThat(arrivals.nextLost()).isEqualTo(address);
        }
    }

    private TcpWire wire(String address) {
        var wire = TcpWire.listening(address, Optional.empty(), Optional.of(WireKeys.KEY), limits.system());
        wires.add(wire);
        wire.start(arrivals);
        return wire;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
