package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the proxy with a real server and real clients. */
@Timeout(180)
class TcpProxyTest {

    private ServerSocket server;
    private TcpProxy proxy;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        proxy = new TcpProxy(server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void connections_are_reset_even_if_the_proxy_has_rejected_a_connection_before() throws IOException {
        proxy.cut();
        try (Socket rejected = connect()) {
            assertThatEnds(rejected);
        }
        proxy.pass();
        try (Socket client = connect();
                Socket accepted = server.accept()) {
            accepted.getOutputStream().write(7);
            assertThat(client.getInputStream().read()).isEqualTo(7);
            proxy.reset();
            assertThatThrownBy(() -> client.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    /** Asserts that the proxy closes this connection, with or without a reset. */
    private static void assertThatEnds(Socket socket) {
        int read;
        try {
            read = socket.getInputStream().read();
        } catch (IOException e) {
            return;
        }
        assertThat(read).isEqualTo(-1);
    }
}
