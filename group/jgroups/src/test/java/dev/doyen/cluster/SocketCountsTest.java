package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.group.RingCandidate;
import dev.doyen.group.RingElection;
import dev.doyen.testkit.HeldPorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Counts the messages of ring elections with 2 to 5 members on real sockets.
 *
 * <p>The elections run over encrypted TCP on loopback, with the default settings. Six members join, and then four
 * members leave one by one. Each departure causes a new view and an election. The test does not count JGroups' own
 * messages.
 */
class SocketCountsTest {

    private static final int MOST = 6;
    private static final String SECRET = "a secret of thirty-two characters";

    private final InetAddress loopback = InetAddress.getLoopbackAddress();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);
    private final Deque<Node> nodes = new ArrayDeque<>();

    private record Node(ClusterMembership membership, RingElection election, RingCandidate candidate) {
        void end() {
            // The member does not resign before it leaves. So the new view starts the election that the test counts.
            membership.close();
            election.close();
        }
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::end);
        held.close();
    }

    @Test
    void concurrent_starts_send_exactly_the_messages_of_the_theory() throws Exception {
        elections(new RingTraffic(true), contest -> {
            assertThat(contest.haveAllBegun()).isTrue();
            assertThat(contest.elects)
                    .as(contest.toString())
                    .isEqualTo(contest.byHand())
                    .isBetween(2 * contest.size() - 1, contest.size() * (contest.size() + 1) / 2);
        });
    }

    @Test
    void each_election_stays_within_its_bounds_in_any_order_of_arrival() throws Exception {
        elections(
                new RingTraffic(false),
                contest -> assertThat(contest.elects)
                        .as(contest.toString())
                        .isBetween(
                                // A member does not send its own key if it has already received a greater key (R2).
                                contest.size() + contest.begun.size() - 1, contest.size() * (contest.size() + 1) / 2));
    }

    private void elections(RingTraffic traffic, Consumer<RingTraffic.Contest> check) throws Exception {
        List<Integer> ports = held.take(MOST);
        var contests = new ArrayList<RingTraffic.Contest>();
        for (int size = 1; size <= MOST; size++) {
            nodes.addLast(open(ports, size - 1, traffic));
        }
        // The test does not count elections while members join, because a joining member does not campaign in its
        // first round. Afterwards, this member opens the next round.
        traffic.awaitView(MOST);
        for (int size = MOST - 1; size > 1; size--) {
            nodes.removeFirst().end();
            contests.add(traffic.awaitElection(size));
        }
        assertThat(contests).hasSize(MOST - 2);
        contests.forEach(contest -> {
            System.out.println("election on sockets: " + contest);
            assertThat(contest.electedMessages)
                    .as("each member sends one elected message")
                    .isEqualTo(contest.size());
            check.accept(contest);
        });
    }

    private Node open(List<Integer> ports, int place, RingTraffic traffic) {
        int port = ports.get(place);
        ClusterSettings settings = ClusterSettings.local("test-counts", "n" + place)
                .withSecret(SECRET)
                .listeningOn(loopback, port)
                .finding(new Discovery.Peers(ports.stream()
                        .map(each -> new InetSocketAddress(loopback, each))
                        .toList()));
        held.release(port);
        ClusterMembership membership = ClusterMembership.open(settings);
        RingElection election =
                RingElection.named("orders").membership(traffic.of(membership)).open();
        return new Node(membership, election, election.join(membership.me().id()));
    }
}
