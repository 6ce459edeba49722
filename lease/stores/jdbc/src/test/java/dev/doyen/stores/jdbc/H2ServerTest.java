package dev.doyen.stores.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the store with an H2 server, and with a server that accepts connections but does not answer. */
@Timeout(180)
class H2ServerTest {

    @TempDir
    Path directory;

    private final Queue<Socket> accepted = new ConcurrentLinkedQueue<>();

    @Test
    void a_lease_is_stored_on_a_server() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = url(server.getPort(), 30_000);
        String election = Leases.fresh();
        try (LeaseStore store = LeaseStore.open(url)) {
            LeaseVersion one =
                    Leases.written(store.compareAndSet(election, LeaseVersion.ABSENT, Leases.record(election, 1)));
            assertThat(store.read(election).version()).isEqualTo(one);
        } finally {
            server.stop();
        }
    }

    @Test
    void a_connection_that_a_silent_server_does_not_open_is_given_up() throws Exception { // L8
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var thread = new Thread(() -> accept(silent));
            thread.setDaemon(true);
            thread.start();
            String url = url(silent.getLocalPort(), 100) + ";doyen.connections=1";

            assertThatThrownBy(() -> LeaseStore.open(url)).isInstanceOf(StoreUnavailableException.class);

            assertThat(accepted)
                    .as("the only thread ended its first attempt, and then connected again")
                    .hasSizeGreaterThan(1);
        } finally {
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    private String url(int port, int timeoutMillis) {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/" + directory.resolve("h2") + ";USER=sa;doyen.timeout-millis="
                + timeoutMillis;
    }

    private void accept(ServerSocket silent) {
        try {
            while (true) {
                accepted.add(silent.accept());
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }
}
