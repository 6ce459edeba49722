package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.election.ElectionListener;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.Leader;
import dev.doyen.event.SavedState;
import dev.doyen.group.RingCandidate;
import dev.doyen.group.RingElection;
import dev.doyen.group.RingLeadership;
import dev.doyen.membership.Member;
import dev.doyen.membership.MembershipListener;
import dev.doyen.membership.View;
import dev.doyen.testkit.HeldPorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.SHARED_LOOPBACK;
import org.jgroups.protocols.SHARED_LOOPBACK_PING;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests elections on a ring over real JGroups channels.
 *
 * <p>The elections run over TCP on loopback, and over JGroups' in-memory transport, whose connections a test can cut.
 */
class ClusterElectionTest {

    private static final Duration DETECTION = Duration.ofSeconds(1);
    private static final String SECRET = "a secret of thirty-two characters";

    /** The timeout of each wait. It is long enough for a busy machine. */
    private static final long PATIENCE_SECONDS = 60;

    private final InetAddress loopback = InetAddress.getLoopbackAddress();
    private final List<Node> nodes = new ArrayList<>();
    private final ChangeSignal changes = new ChangeSignal();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);

    /** Wakes the test after each change of an election or a view. The test then checks its condition again. */
    private static final class ChangeSignal implements ElectionListener<RingLeadership>, MembershipListener {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();

        @Override
        public void elected(RingLeadership leadership) {
            signal();
        }

        @Override
        public void lost(dev.doyen.event.LossCause cause) {
            signal();
        }

        @Override
        public void leaderChanged(Optional<Leader> leader) {
            signal();
        }

        @Override
        public void installed(View view) {
            signal();
        }

        @Override
        public void received(Member from, byte[] message) {}

        @Override
        public void ended() {
            signal();
        }

        private void signal() {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void await(String what, BooleanSupplier seen) throws InterruptedException {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            lock.lock();
            try {
                while (!seen.getAsBoolean()) {
                    long left = until - System.nanoTime();
                    assertThat(left).as(what).isPositive();
                    changed.awaitNanos(left);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private static final class Node {
        final ClusterMembership membership;
        final RingElection election;
        final RingCandidate candidate;

        Node(ClusterMembership membership, RingElection election, RingCandidate candidate) {
            this.membership = membership;
            this.election = election;
            this.candidate = candidate;
        }

        String leader() {
            return candidate.leader().map(Leader::id).orElse("");
        }
    }

    @BeforeAll
    static void quiet() {
        java.util.logging.Logger.getLogger("org.jgroups").setLevel(java.util.logging.Level.SEVERE);
    }

    @AfterEach
    void close() {
        nodes.forEach(node -> {
            node.election.close();
            node.membership.close();
        });
        held.close();
    }

    @Test
    void over_tcp_three_agree_and_the_next_leads_when_the_leader_closes() throws Exception {
        List<Integer> all = held.take(3);
        for (int i = 0; i < 3; i++) {
            overTcp("n" + i, all.get(i), all, SECRET);
        }
        Node leader = agreed(nodes);
        long term = leader.candidate.leadership().orElseThrow().counter();

        leader.election.close();
        leader.membership.close();
        nodes.remove(leader);
        Node next = agreed(nodes);
        assertThat(next).isNotSameAs(leader);
        assertThat(next.candidate.leadership().orElseThrow().counter()).isGreaterThan(term);
    }

    @Test
    void over_tcp_the_largest_state_reaches_the_next_leader() throws Exception {
        List<Integer> all = held.take(3);
        for (int i = 0; i < 3; i++) {
            overTcp("n" + i, all.get(i), all, SECRET);
        }
        byte[] bytes = new byte[SavedState.MAX_BYTES];
        new Random(1).nextBytes(bytes);
        SavedState state = SavedState.of(bytes);
        Node leader = agreed(nodes);
        while (!saved(leader, state)) {
            leader = agreed(nodes);
        }

        leader.election.close();
        leader.membership.close();
        nodes.remove(leader);
        Node next = agreed(nodes);
        assertThat(next.candidate.leadership().orElseThrow().state()).isEqualTo(state);
    }

    /** Saves a state. Returns false if the node has already lost its term, which happens on a busy machine. */
    private static boolean saved(Node leader, SavedState state) throws InterruptedException {
        Optional<RingLeadership> leadership = leader.candidate.leadership();
        try {
            if (leadership.isPresent()) {
                leadership.get().save(state);
            }
            return leadership.isPresent();
        } catch (NotLeaderException e) {
            return false;
        }
    }

    @Test
    void durations_with_which_a_frozen_follower_would_end_the_term_are_rejected() { // R13
        int port = held.take(1).get(0);
        ClusterSettings settings = ClusterSettings.local("test", "n0").listeningOn(loopback, port);
        held.release(port);
        try (ClusterMembership membership = ClusterMembership.open(settings)) {
            assertThatThrownBy(() -> RingElection.named("orders")
                            .membership(membership)
                            .electionTimeout(Duration.ofSeconds(7))
                            .open())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("raise the election timeout to 7452 ms or more, or lower the detection time");
        }
    }

    @Test
    void a_process_without_the_right_secret_is_rejected() throws Exception {
        List<Integer> all = held.take(4);
        Node first = overTcp("first", all.get(0), all, SECRET);
        Node other = overTcp("other", all.get(1), all, "another secret of many characters");
        Node none = overTcp("none", all.get(2), all, "");
        Node second = overTcp("second", all.get(3), all, SECRET);
        agreed(List.of(first, second));
        agreed(List.of(other));
        agreed(List.of(none));
        assertThat(first.membership.channel().getView().size()).isEqualTo(2);
        assertThat(other.membership.channel().getView().size()).isEqualTo(1);
        assertThat(none.membership.channel().getView().size()).isEqualTo(1);
    }

    @Test
    void each_side_of_a_partition_has_a_leader_and_one_remains_afterwards() throws Exception {
        for (String id : List.of("a", "b", "c")) {
            overSharedLoopback(id);
        }
        Node leader = agreed(nodes);
        List<Node> rest = nodes.stream().filter(node -> node != leader).toList();

        cut(List.of(leader), rest);
        Node other = agreed(rest);
        assertThat(agreed(List.of(leader))).isSameAs(leader);
        assertThat(other).isNotSameAs(leader);

        heal();
        Node one = agreed(nodes);
        assertThat(nodes.stream().filter(node -> node.candidate.isLeader())).containsExactly(one);
    }

    /**
     * Waits until exactly one of these members leads and all members report this leader. The leader's view must also
     * have as many members as the list.
     */
    private Node agreed(List<Node> among) throws InterruptedException {
        changes.await("all members name one leader", () -> {
            List<Node> leading =
                    among.stream().filter(node -> node.candidate.isLeader()).toList();
            return leading.size() == 1
                    && leading.get(0).membership.channel().getView().size() == among.size()
                    && among.stream()
                            .allMatch(node -> node.leader()
                                    .equals(leading.get(0).candidate.id()));
        });
        return among.stream()
                .filter(node -> node.candidate.isLeader())
                .findFirst()
                .orElseThrow();
    }

    private Node overTcp(String id, int port, List<Integer> peers, String secret) {
        ClusterSettings settings = ClusterSettings.local("test", id)
                .listeningOn(loopback, port)
                .finding(new Discovery.Peers(peers.stream()
                        .map(each -> new InetSocketAddress(loopback, each))
                        .toList()))
                .detecting(DETECTION);
        held.release(port);
        return join(ClusterMembership.open(secret.isEmpty() ? settings : settings.withSecret(secret)));
    }

    /**
     * Joins a cluster over the in-memory transport.
     *
     * <p>All test classes in the JVM share the in-memory transport. So this class uses its own cluster name. The
     * failure detector's socket takes a free port from a range.
     */
    private void overSharedLoopback(String id) {
        var transport = new SHARED_LOOPBACK();
        transport.setBindAddress(loopback);
        FD_SOCK2 sockets = new FD_SOCK2().setPortRange(50);
        ClusterSettings settings =
                ClusterSettings.local(getClass().getSimpleName(), id).detecting(DETECTION);
        join(ClusterMembership.open(
                settings, ProtocolStackBuilder.over(transport, new SHARED_LOOPBACK_PING(), sockets, settings)));
    }

    private Node join(ClusterMembership membership) {
        RingElection election = open(membership);
        var node = new Node(membership, election, election.join(membership.me().id()));
        node.candidate.listen(changes);
        membership.listen("test/news", changes);
        nodes.add(node);
        return node;
    }

    private static RingElection open(ClusterMembership membership) {
        return RingElection.named("orders")
                .membership(membership)
                .electionTimeout(Duration.ofSeconds(4))
                .open();
    }

    private void cut(List<Node> one, List<Node> other) throws Exception {
        for (Node node : one) {
            ignore(node, other);
        }
        for (Node node : other) {
            ignore(node, one);
        }
    }

    private static void ignore(Node node, List<Node> others) throws Exception {
        var discard = new DISCARD();
        for (Node each : others) {
            Address address = each.membership.channel().getAddress();
            discard.addIgnoreMember(address);
        }
        node.membership.channel().getProtocolStack().insertProtocol(discard, Position.ABOVE, TP.class);
    }

    private void heal() {
        nodes.forEach(node -> node.membership.channel().getProtocolStack().removeProtocol(DISCARD.class));
    }
}
