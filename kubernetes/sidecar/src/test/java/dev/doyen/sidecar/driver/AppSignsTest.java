package dev.doyen.sidecar.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.sidecar.AppSign;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how {@link AppSigns} observes an app by its port. */
@Timeout(180)
final class AppSignsTest {

    private final List<Socket> clients = new ArrayList<>();
    private ServerSocket app;
    private AppSigns signs;

    @BeforeEach
    void listen() throws IOException {
        app = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        signs = AppSigns.ofPort(OptionalInt.of(app.getLocalPort()));
    }

    @AfterEach
    void close() throws IOException {
        app.close();
        for (var client : clients) {
            client.close();
        }
    }

    @Test
    void an_app_that_accepts_no_connection_in_time_still_runs() throws Exception { // L11
        assertThat(signs.observe()).isEqualTo(AppSign.RUNNING);

        fillBacklog();
        assertThat(signs.observe()).isEqualTo(AppSign.RUNNING);

        app.close();
        assertThat(signs.observe()).isEqualTo(AppSign.ENDED);
    }

    @Test
    void a_port_that_was_never_open_does_not_prove_that_the_app_has_ended() throws Exception { // L11
        app.close();

        assertThat(signs.observe()).isEqualTo(AppSign.UNKNOWN);
    }

    /** Connects until the operating system ignores a further connection, because the app accepts none. */
    private void fillBacklog() throws IOException {
        while (true) {
            var client = new Socket();
            clients.add(client);
            try {
                client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), app.getLocalPort()), 200);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
    }
}
