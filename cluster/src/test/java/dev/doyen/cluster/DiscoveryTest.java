package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.doyen.membership.Member;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.testkit.HeldPorts;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.BytesMessage;
import org.jgroups.protocols.dns.DNS_PING;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes that find each other by DNS and by multicast, on loopback. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class DiscoveryTest {

    private static final String SECRET = "a secret of thirty-two characters";
    private static final int PATIENCE_MILLIS = 10_000;

    private final InetAddress loopback = InetAddress.getLoopbackAddress();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);

    @AfterEach
    void close() {
        held.close();
    }

    @Test
    void by_the_addresses_that_a_dns_server_gives_a_name() throws Exception {
        InetAddress second = secondLoopback();
        int port = held.take(1).get(0);
        held.release(port);
        try (var server = new NameServer(loopback, second);
                var first = open(asking(settings("a", loopback, port), server.port()));
                var other = open(asking(settings("b", second, port), server.port()))) {
            assertThat(sees(first, "b")).isTrue();
            assertThat(sees(other, "a")).isTrue();
            assertThat(server.asked()).isEqualTo("members.example");
        }
    }

    @Test
    void by_the_addresses_that_the_system_knows_for_a_name() throws Exception {
        InetAddress second = secondLoopback();
        int port = held.take(1).get(0);
        held.release(port);
        var byName = new Discovery.Dns("localhost");
        try (var first = ClusterMembership.open(settings("a", loopback, port).finding(byName));
                var other = ClusterMembership.open(settings("b", second, port).finding(byName))) {
            assertThat(sees(first, "b")).isTrue();
            assertThat(sees(other, "a")).isTrue();
        }
    }

    @Test
    void by_multicast_where_a_stranger_is_not_heard() throws Exception {
        var group = InetAddress.getByName("239.255.71.83");
        List<Integer> ports = held.take(3);
        int meeting = ports.get(2);
        held.release(meeting);
        checkMulticast(group, meeting);
        var there = new Discovery.Multicast(group, meeting);
        held.release(ports.get(0));
        held.release(ports.get(1));
        try (var first = ClusterMembership.open(
                        settings("a", loopback, ports.get(0)).finding(there));
                var other = ClusterMembership.open(
                        settings("b", loopback, ports.get(1)).finding(there))) {
            assertThat(sees(first, "b")).isTrue();
            assertThat(sees(other, "a")).isTrue();
            // A message of the one member as anybody could write it, and then one that is sealed: if the first were
            // heard, it would be before the second.
            var heard = new Heard();
            first.listen("topic", heard);
            byte[] faked = message(other, "faked");
            byte[] sealed = new Seal(SharedKey.of(SECRET, "test"))
                    .seal(
                            Seal.Line.MULTICAST,
                            new IpAddress(group, meeting),
                            message(other, "sealed"),
                            0,
                            message(other, "sealed").length);
            try (var socket = new MulticastSocket(new InetSocketAddress(loopback, 0))) {
                socket.setNetworkInterface(NetworkInterface.getByInetAddress(loopback));
                socket.send(new DatagramPacket(faked, faked.length, group, meeting));
                socket.send(new DatagramPacket(sealed, sealed.length, group, meeting));
            }
            assertThat(heard.messages.take()).isEqualTo("sealed");
        }
    }

    private static byte[] message(ClusterMembership from, String text) throws IOException {
        var message = new BytesMessage(null, new Envelope("topic", text.getBytes(StandardCharsets.UTF_8)).bytes());
        message.setSrc(from.channel().getAddress());
        var out = new ByteArrayDataOutputStream();
        message.writeTo(out);
        return java.util.Arrays.copyOf(out.buffer(), out.position());
    }

    private static ClusterSettings settings(String id, InetAddress bind, int port) {
        return ClusterSettings.local("test", id).withSecret(SECRET).listeningOn(bind, port);
    }

    private static ClusterMembership open(Asking asking) {
        return ClusterMembership.open(asking.settings, asking.stack);
    }

    private record Asking(ClusterSettings settings, List<Protocol> stack) {}

    /** As settings make it, except that this server is asked instead of the system's. */
    private static Asking asking(ClusterSettings settings, int server) {
        ClusterSettings all = settings.finding(new Discovery.Dns("members.example"));
        List<Protocol> stack = Stack.over(all);
        stack.stream()
                .filter(DNS_PING.class::isInstance)
                .map(DNS_PING.class::cast)
                .forEach(each -> each.dnsAddress("127.0.0.1:" + server));
        return new Asking(all, stack);
    }

    private static boolean sees(ClusterMembership member, String other) throws Exception {
        var heard = new Heard();
        member.listen("sees-" + other, heard);
        for (View view = heard.views.take(); ; view = heard.views.take()) {
            if (view.members().stream().anyMatch(each -> each.id().equals(other))) {
                return true;
            }
        }
    }

    private InetAddress secondLoopback() throws IOException {
        InetAddress second = InetAddress.getByName("127.0.0.2");
        try (var probe = new ServerSocket(0, 1, second)) {
            return probe.isBound() ? second : loopback;
        } catch (IOException e) {
            return abort("SKIPPED: this machine cannot listen on 127.0.0.2, a second address of loopback: " + e);
        }
    }

    private void checkMulticast(InetAddress group, int port) throws IOException {
        NetworkInterface network = NetworkInterface.getByInetAddress(loopback);
        try (var socket = new MulticastSocket(port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setNetworkInterface(network);
            socket.joinGroup(new InetSocketAddress(group, port), network);
            socket.send(new DatagramPacket(new byte[1], 1, group, port));
            socket.receive(new DatagramPacket(new byte[1], 1));
        } catch (IOException e) {
            abort("SKIPPED: this machine's loopback carries no multicast: " + e);
        }
    }

    private static final class Heard implements MembershipListener {
        final BlockingQueue<View> views = new LinkedBlockingQueue<>();
        final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

        @Override
        public void installed(View view) {
            views.add(view);
        }

        @Override
        public void received(Member from, byte[] message) {
            messages.add(new String(message, StandardCharsets.UTF_8));
        }

        @Override
        public void ended() {}
    }

    /** Answers each question for addresses with the same ones, by UDP. */
    private static final class NameServer implements AutoCloseable {
        private static final int HEADER = 12;
        private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        private final CompletableFuture<String> asked = new CompletableFuture<>();
        private final List<InetAddress> addresses;

        NameServer(InetAddress... addresses) throws SocketException {
            this.addresses = List.of(addresses);
            var thread = new Thread(this::serve, "test-dns");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return socket.getLocalPort();
        }

        String asked() throws Exception {
            return asked.get();
        }

        private void serve() {
            var packet = new DatagramPacket(new byte[512], 512);
            try {
                while (!socket.isClosed()) {
                    packet.setLength(512);
                    socket.receive(packet);
                    byte[] reply = reply(packet.getData());
                    socket.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                // Closed.
            }
        }

        /** The question again, and an A record for each address. */
        private byte[] reply(byte[] question) {
            var name = new StringBuilder();
            int at = HEADER;
            for (int length = question[at]; length > 0; length = question[at]) {
                name.append(name.isEmpty() ? "" : ".")
                        .append(new String(question, at + 1, length, StandardCharsets.US_ASCII));
                at += length + 1;
            }
            asked.complete(name.toString());
            int end = at + 5;
            var out = ByteBuffer.allocate(512);
            out.put(question, 0, 2).putShort((short) 0x8580);
            out.putShort((short) 1).putShort((short) addresses.size()).putInt(0);
            out.put(question, HEADER, end - HEADER);
            for (InetAddress address : addresses) {
                out.putShort((short) 0xc00c).putShort((short) 1).putShort((short) 1);
                out.putInt(0).putShort((short) 4).put(address.getAddress());
            }
            return java.util.Arrays.copyOf(out.array(), out.position());
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
