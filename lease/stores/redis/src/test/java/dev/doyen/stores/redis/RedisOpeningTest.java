package dev.doyen.stores.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the errors of {@link RedisLeaseStore#open} if the server closes connections before it answers. */
class RedisOpeningTest {

    private final AtomicInteger connections = new AtomicInteger();
    private final ServerSocket server;

    RedisOpeningTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void the_answer_to_a_later_connection_is_reported() {
        serve(2);
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("WRONGPASS")
                .hasMessageEndingWith("; check the user and the password in the URL");
        assertThat(connections.get()).as("connections").isBetween(3, 5);
    }

    @Test
    void a_server_that_closes_connections_gets_five_attempts() {
        serve(Integer.MAX_VALUE);
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreUnavailableException.class)
                .isNotInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("cannot be used")
                .hasMessageContaining("check the address, the user, and that it runs");
        assertThat(connections).hasValue(5);
    }

    private void open() {
        LeaseStore.open("redis://tenant:secret@127.0.0.1:" + server.getLocalPort() + "/x")
                .close();
    }

    /**
     * Accepts connections. The server closes the first {@code closed} connections as soon as it has read some bytes
     * from them, and rejects the login on each later connection.
     */
    private void serve(int closed) {
        Thread thread = new Thread(
                () -> {
                    while (true) {
                        try (Socket socket = server.accept()) {
                            int connection = connections.incrementAndGet();
                            byte[] request = new byte[4096];
                            socket.getInputStream().read(request);
                            if (connection > closed) {
                                socket.getOutputStream()
                                        .write("-WRONGPASS invalid username-password pair\r\n".getBytes(US_ASCII));
                                while (socket.getInputStream().read(request) >= 0) {
                                    // Read until the client closes the connection.
                                }
                            }
                        } catch (IOException e) {
                            if (server.isClosed()) {
                                return;
                            }
                        }
                    }
                },
                "redis-server");
        thread.setDaemon(true);
        thread.start();
    }
}
