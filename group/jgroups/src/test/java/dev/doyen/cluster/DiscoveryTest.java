package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.doyen.membership.Member;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.store.support.SharedKey;
import dev.doyen.testkit.HeldPorts;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.protocols.dns.DNSResolver;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests how processes find each other by a name, by addresses or by multicast, on loopback.
 *
 * <p>ServiceRingChaosTest in testing/chaos/ tests discovery with a DNS server.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DiscoveryTest {

    private static final String SECRET = "a secret of thirty-two characters";
    private static final int PATIENCE_MILLIS = 10_000;

    private final InetAddress loopback = InetAddress.getLoopbackAddress();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);

    @AfterEach
    void close() {
        held.close();
    }

    /**
     * Tests requests to addresses that no machine uses. A connection attempt to such an address takes a second, and the
     * list of addresses can begin with many such addresses. In this test, a fake protocol blocks these requests until
     * the other request has been sent.
     */
    @Test
    void an_unused_address_does_not_block_other_requests() throws Exception {
        for (org.jgroups.protocols.Discovery each :
                List.of(new PeerDiscovery(List.of()), new NameDiscovery("members.example"))) {
            var requested = new LinkedBlockingQueue<Address>();
            var off = new CountDownLatch(1);
            each.setDownProtocol(new Protocol() {
                @Override
                public Object down(Message request) {
                    if (((IpAddress) request.getDest()).getPort() < DiscoveryRequests.AT_A_TIME) {
                        await(off);
                    }
                    requested.add(request.getDest());
                    return request;
                }
            });
            for (int port = 1; port <= DiscoveryRequests.AT_A_TIME; port++) {
                var request = new EmptyMessage(new IpAddress(loopback, port));
                if (each instanceof PeerDiscovery peers) {
                    peers.sendDiscoveryRequest(request);
                } else {
                    ((NameDiscovery) each).sendDiscoveryRequest(request);
                }
            }
            assertThat(requested.take()).isEqualTo(new IpAddress(loopback, DiscoveryRequests.AT_A_TIME));
            off.countDown();
        }
    }

    @Test
    void processes_find_each_other_by_the_addresses_of_a_host_name() throws Exception {
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

    /**
     * Tests a process that has only the address of a member that is not the coordinator.
     *
     * <p>This happens if the host name has only one address, or if the resolver returns the same address to all
     * processes. Discovery then takes 5 s. It would take 44 s if the member's response did not contain the
     * coordinator's address.
     */
    @Test
    @Timeout(180)
    void a_process_finds_the_coordinator_by_the_response_of_another_member() throws Exception {
        List<Integer> ports = held.take(3);
        ports.forEach(held::release);
        var first = new InetSocketAddress(loopback, ports.get(0));
        var second = new InetSocketAddress(loopback, ports.get(1));
        try (var leading = ClusterMembership.open(settings("a", loopback, first.getPort()));
                var member = ClusterMembership.open(
                        settings("b", loopback, second.getPort()).finding(new Discovery.Peers(List.of(first))))) {
            assertThat(sees(member, "a")).isTrue();
            try (var joining = ClusterMembership.open(
                    settings("c", loopback, ports.get(2)).finding(new Discovery.Peers(List.of(second))))) {
                assertThat(sees(joining, "a")).isTrue();
                assertThat(sees(leading, "c")).isTrue();
            }
        }
    }

    @Test
    void the_sender_of_a_request_receives_a_request_in_return() throws Exception {
        var byName = new NameDiscovery("localhost");
        for (int host = 1; host <= NameDiscovery.MAX_REQUESTERS + 1; host++) {
            byName.discoveryRequestReceived(null, "m" + host, requester(host));
        }
        byName.discoveryRequestReceived(null, "m2", requester(2));
        byName.discoveryRequestReceived(null, "another", requester(250));

        List<Address> requested = byName.dnsResolver().resolveIps("localhost", DNSResolver.DNSRecordType.A);
        assertThat(requested).contains(new IpAddress(loopback, 0), requester(2), requester(250));
        assertThat(requested).doesNotContain(requester(1), requester(3)).doesNotHaveDuplicates();
        assertThat(requested.stream()
                        .filter(each -> ((IpAddress) each).getIpAddress().getAddress()[1] == 9))
                .hasSize(NameDiscovery.MAX_REQUESTERS);
    }

    private static IpAddress requester(int host) throws IOException {
        return new IpAddress(InetAddress.getByAddress(new byte[] {127, 9, 0, (byte) host}), 0);
    }

    @Test
    void processes_find_each_other_by_multicast_and_ignore_foreign_processes() throws Exception {
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
            // The test sends an unencrypted message, as any process could, and then an encrypted message. If the member
            // accepted the unencrypted message, that message would arrive first.
            var delivered = new Received();
            first.listen("topic", delivered);
            byte[] faked = message(other, "faked");
            byte[] sealed = new FrameCipher(SharedKey.of(SECRET, FrameCipher.PURPOSE, "test"))
                    .encrypt(
                            FrameCipher.Line.MULTICAST,
                            new IpAddress(group, meeting),
                            message(other, "sealed"),
                            0,
                            message(other, "sealed").length);
            try (var socket = new MulticastSocket(new InetSocketAddress(loopback, 0))) {
                socket.setNetworkInterface(NetworkInterface.getByInetAddress(loopback));
                socket.send(new DatagramPacket(faked, faked.length, group, meeting));
                socket.send(new DatagramPacket(sealed, sealed.length, group, meeting));
            }
            assertThat(delivered.messages.take()).isEqualTo("sealed");
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

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean sees(ClusterMembership member, String other) throws Exception {
        var delivered = new Received();
        member.listen("sees-" + other, delivered);
        for (View view = delivered.views.take(); ; view = delivered.views.take()) {
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

    private static final class Received implements MembershipListener {
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
}
