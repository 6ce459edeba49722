package dev.doyen.group.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.election.HealthCheck;
import dev.doyen.elector.AdminAccess;
import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.RawSocket;
import dev.doyen.testkit.HeldPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the console of a ring process over real sockets, and the permissions of its viewers. */
@Timeout(180)
class MemberConsoleTest {

    private final List<AutoCloseable> open = new ArrayList<>();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);

    @AfterEach
    void end() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        held.close();
    }

    @Test
    void the_console_shows_the_ring_and_accepts_the_commands_of_v1() throws Exception {
        MemberProcess node = start("127.0.0.1:0", AdminAccess.LOOPBACK);
        int port = node.electorAddress().getPort();
        var stream = events(loopback(port), "localhost:" + port);
        assertThat(stream.readThrough("\"leader\":{\"id\":\"only\""))
                .startsWith("HTTP/1.1 200 OK")
                .contains("text/event-stream")
                .contains("{\"election\":\"orders\",\"me\":\"only\",");

        String page = "Host: localhost:" + port + "\r\nOrigin: http://localhost:" + port + "\r\n";
        assertThat(post(port, "orders/transfer", page, "to=nobody"))
                .startsWith("HTTP/1.1 404 ")
                .contains("\\\"nobody\\\" is not in the view of the leader \\\"only\\\" (term 1), so the");
        assertThat(post(port, "orders/resign", page, "")).startsWith("HTTP/1.1 200 OK");
        assertThat(stream.readThrough("\"to\":"))
                .as("the console shows the former leader")
                .contains("\"id\":\"only\",\"term\":1");
        assertThat(post(port, "nowhere/resign", page, "")).startsWith("HTTP/1.1 404 ");
        assertThat(post(port, "orders/pause", page, ""))
                .startsWith("HTTP/1.1 409 ")
                .contains("cannot be paused as a whole");
    }

    @Test
    void a_page_of_another_origin_can_neither_read_nor_send_commands() throws Exception {
        MemberProcess node = start("127.0.0.1:0", AdminAccess.ANYWHERE);
        int port = node.electorAddress().getPort();
        assertThat(events(loopback(port), "evil.example:" + port).readResponse())
                .startsWith("HTTP/1.1 421 ")
                .contains("shown to this machine only");
        String host = "Host: localhost:" + port + "\r\n";
        for (String headers : List.of(
                host,
                host + "Origin: null\r\n",
                host + "Origin: http://evil.example\r\n",
                host + "Authorization: Basic eDp5\r\n",
                "Host: evil.example:" + port + "\r\nOrigin: http://evil.example:" + port + "\r\n")) {
            assertThat(post(port, "orders/resign", headers, ""))
                    .as(headers)
                    .startsWith("HTTP/1.1 403 ")
                    .contains("from the console's own page");
        }
    }

    @Test
    void a_process_without_admin_commands_rejects_those_of_its_page() throws Exception {
        MemberProcess node = start("127.0.0.1:0", AdminAccess.REFUSED);
        int port = node.electorAddress().getPort();
        String page = "Host: localhost:" + port + "\r\nOrigin: http://localhost:" + port + "\r\n";
        assertThat(post(port, "orders/resign", page, ""))
                .startsWith("HTTP/1.1 403 ")
                .contains("accepts no admin commands");
    }

    @Test
    void the_console_is_only_for_this_machine() throws Exception {
        // The oldest interface comes first, because interfaces of other tests can disappear.
        Optional<InetAddress> outer = NetworkInterface.networkInterfaces()
                .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .findFirst();
        Assumptions.assumeTrue(outer.isPresent(), "this machine has no address beyond loopback");
        MemberProcess node = start("0.0.0.0:0", AdminAccess.LOOPBACK);
        int port = node.electorAddress().getPort();
        var address = new InetSocketAddress(outer.get(), port);
        assertThat(events(address, "localhost:" + port).readResponse()).startsWith("HTTP/1.1 421 ");
        assertThat(events(loopback(port), "localhost:" + port).readThrough("data: "))
                .startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void other_paths_are_answered_as_without_a_console() throws Exception {
        MemberProcess node = start("127.0.0.1:0", AdminAccess.LOOPBACK);
        int port = node.electorAddress().getPort();
        resign(port);
        assertThat(request(port, "GET /consoles HTTP/1.1\r\nHost: a\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK")
                .contains("{\"name\":\"\",");
        assertThat(request(port, "GET /v1/elections/orders HTTP/1.1\r\nHost: a\r\n\r\n"))
                .contains("\"leader\":null")
                .contains("\"noLeader\":{\"reason\":\"cooldown\",\"sentence\":\"resigned recently,");
        assertThat(request(port, "nonsense\r\n\r\n"))
                .as("the answer has the format of /v1")
                .startsWith("HTTP/1.1 400 ")
                .contains("application/problem+json");
    }

    @Test
    void a_new_reason_for_no_leader_is_an_event() throws Exception {
        var isWell = new AtomicBoolean(true);
        HealthCheck health = HealthCheck.of(isWell::get).every(Duration.ofMillis(100));
        MemberProcess node = start("127.0.0.1:0", Optional.of(health), AdminAccess.LOOPBACK);
        RawSocket stream = reasons(node);
        resign(node.electorAddress().getPort());
        stream.readThrough("\"reason\":\"cooldown\"");
        isWell.set(false);
        assertThat(stream.readThrough("\"reason\":\"unhealthy\"")).contains("\"leader\":null");
    }

    /** Resigns with a cooldown of an hour. Afterwards the only candidate does not lead again during the test. */
    private static void resign(int port) throws IOException {
        assertThat(request(
                        port,
                        "POST /v1/elections/orders/resign?cooldown=60m HTTP/1.1\r\nHost: localhost:" + port
                                + "\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK");
    }

    private static String request(int port, String text) throws IOException {
        try (var socket = new RawSocket(loopback(port))) {
            return socket.send(text).readResponse();
        }
    }

    private static String post(int port, String what, String headers, String form) throws IOException {
        return request(
                port,
                "POST /console/v1/elections/" + what + " HTTP/1.1\r\n" + headers
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                        + form.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + form);
    }

    private RawSocket events(InetSocketAddress address, String host) throws IOException {
        var socket = new RawSocket(address);
        open.add(socket);
        return socket.send("GET /console/events HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    /** Opens an event stream that reports each change of the leader and of the reason for a missing leader. */
    private RawSocket reasons(MemberProcess node) throws IOException {
        var socket = new RawSocket(loopback(node.electorAddress().getPort()));
        open.add(socket);
        return socket.send("GET /v1/elections/orders/events HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private MemberProcess start(String http, AdminAccess adminAccess) throws Exception {
        return start(http, Optional.empty(), adminAccess);
    }

    private MemberProcess start(String http, Optional<HealthCheck> health, AdminAccess adminAccess) throws Exception {
        int port = held.take(1).get(0);
        held.release(port);
        var node = new MemberProcess(SampleSettings.memberSettings(
                SampleSettings.ringElection(Duration.ofSeconds(5)),
                "test-console",
                "only",
                port,
                List.of(port),
                health,
                ListenAddress.parse(http),
                adminAccess));
        // Wait until the stream reports this process as the leader.
        try (var socket = new RawSocket(loopback(node.electorAddress().getPort()))) {
            socket.send("GET /sse HTTP/1.1\r\nHost: a\r\n\r\n").readThrough("\"name\":\"only\"");
        }
        open.add(node);
        return node;
    }
}
