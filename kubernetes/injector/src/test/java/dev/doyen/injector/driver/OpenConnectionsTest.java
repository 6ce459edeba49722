package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** Tests which connection is closed so that a new connection can open. */
class OpenConnectionsTest {

    private final OpenConnections<String> connections = new OpenConnections<>(4, 3);

    @Test
    void no_connection_is_closed_below_the_limits() throws Exception {
        open("a1", 1);
        open("a2", 1);
        open("a3", 1);
        open("b1", 2);
        connections.closed("a2");
        open("a4", 1);
    }

    @Test
    void a_peer_above_its_limit_loses_its_own_oldest_connection() throws Exception {
        open("b1", 2);
        open("a1", 1);
        open("a2", 1);
        open("a3", 1);
        open("a4", 1, "a1");
        open("a5", 1, "a2");
    }

    @Test
    void above_the_limit_of_all_peers_the_oldest_connection_is_closed() throws Exception {
        open("a1", 1);
        open("b1", 2);
        open("b2", 2);
        open("b3", 2);
        open("c1", 3, "a1");
        open("c2", 3, "b1");
    }

    @Test
    void an_idle_connection_is_closed_before_an_older_one_with_a_request() throws Exception {
        open("a1", 1);
        open("a2", 1);
        open("b1", 2);
        open("b2", 2);
        connections.answered("b1");
        connections.answered("a2");
        open("c1", 3, "b1");
        connections.requested("a2");
        open("c2", 3, "a1");
    }

    @Test
    void a_closed_connection_does_not_return() throws Exception {
        open("a1", 1);
        open("a2", 1);
        open("a3", 1);
        connections.closed("a1");
        connections.answered("a1");
        connections.requested("a1");
        open("a4", 1);
    }

    private void open(String connection, int peer, String... closed) throws Exception {
        var address = InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) peer});
        assertThat(connections.opened(connection, address).stream()).containsExactly(closed);
    }
}
