package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.membership.Member;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.testkit.HeldPorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests messages between two members over TCP on loopback, and the resources of a membership. */
class ClusterMembershipTest {

    private static final String TOPIC = "test/news";

    /** The timeout of each wait. It is long enough for a busy machine. */
    private static final long PATIENCE_SECONDS = 30;

    private final InetAddress loopback = InetAddress.getLoopbackAddress();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);

    @AfterEach
    void close() {
        held.close();
    }

    /** Stores the messages, and reports when the view has two members. */
    private static final class Arrived implements MembershipListener {
        private final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
        private final CountDownLatch met = new CountDownLatch(1);

        @Override
        public void installed(View view) {
            if (view.members().size() == 2) {
                met.countDown();
            }
        }

        @Override
        public void received(Member from, byte[] message) {
            messages.add(message);
        }

        @Override
        public void ended() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a secret of thirty-two characters"})
    void a_message_with_the_first_bytes_of_a_serialized_object_arrives(String secret) throws Exception {
        List<Integer> ports = held.take(2);
        try (ClusterMembership one = open("one", ports.get(0), ports, secret);
                ClusterMembership other = open("other", ports.get(1), ports, secret)) {
            var known = new Arrived();
            one.listen(TOPIC, known);
            var arrived = new Arrived();
            other.listen(TOPIC, arrived);
            assertThat(known.met.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            byte[] object = {(byte) 0xac, (byte) 0xed, 0, 5};
            byte[] next = {7};
            assertThat(one.send(other.me(), TOPIC, object)).isTrue();
            assertThat(one.send(other.me(), TOPIC, next)).isTrue();
            assertThat(arrived.messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(object);
            assertThat(arrived.messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(next);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a secret of thirty-two characters"})
    void all_threads_are_daemons(String secret) throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        List<Integer> ports = held.take(2);
        try (ClusterMembership one = open("one", ports.get(0), ports, secret);
                ClusterMembership other = open("other", ports.get(1), ports, secret)) {
            var known = new Arrived();
            one.listen(TOPIC, known);
            other.listen(TOPIC, new Arrived());
            assertThat(known.met.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(each -> !before.contains(each))
                    .isNotEmpty()
                    .allMatch(Thread::isDaemon);
        }
    }

    @Test
    void a_membership_that_cannot_be_opened_leaves_no_thread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        int port = held.take(1).get(0);
        held.release(port);
        try (var occupied = new ServerSocket(port, 1, loopback)) {
            ClusterSettings settings =
                    ClusterSettings.local("test", "one").listeningOn(loopback, occupied.getLocalPort());
            assertThatThrownBy(() -> ClusterMembership.open(settings)).isInstanceOf(IllegalArgumentException.class);
        }
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().startsWith("doyen-cluster-send") && !before.contains(each)) {
                each.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
                assertThat(each.isAlive()).as(each.getName()).isFalse();
            }
        }
    }

    private ClusterMembership open(String id, int port, List<Integer> peers, String secret) {
        ClusterSettings settings = ClusterSettings.local("test", id)
                .listeningOn(loopback, port)
                .finding(new Discovery.Peers(peers.stream()
                        .map(each -> new InetSocketAddress(loopback, each))
                        .toList()));
        held.release(port);
        return ClusterMembership.open(secret.isEmpty() ? settings : settings.withSecret(secret));
    }
}
