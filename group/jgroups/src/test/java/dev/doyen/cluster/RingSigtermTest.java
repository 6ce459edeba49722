package dev.doyen.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.ElectionListener;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.group.RingElection;
import dev.doyen.group.RingLeadership;
import dev.doyen.jvms.JvmProcess;
import dev.doyen.testkit.HeldPorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ends a process that leads on a ring with SIGTERM. */
@Timeout(180)
class RingSigtermTest {

    @Test
    void the_leader_ends_its_leadership_and_another_member_leads() throws Exception {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        var leader = new CompletableFuture<String>();
        var elected = new CompletableFuture<Long>();
        try (var held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET)) {
            List<Integer> ports = held.take(2);
            ports.forEach(held::release);
            Process process = JvmProcess.builder(
                            RingProgram.class,
                            ports.stream().map(String::valueOf).toList())
                    .start();
            try (var program = new JvmProcess("a", process)) {
                program.onLine(lines::add);
                assertThat(lines.poll(60, TimeUnit.SECONDS)).isEqualTo("leads");
                try (var membership = open("b", ports.get(1), ports.get(0));
                        var election = RingElection.named("orders")
                                .membership(membership)
                                .open()) {
                    election.join("b").listen(new ElectionListener<RingLeadership>() {
                        @Override
                        public void leaderChanged(Optional<Leader> now) {
                            now.ifPresent(known -> leader.complete(known.id()));
                        }

                        @Override
                        public void elected(RingLeadership leadership) {
                            elected.complete(leadership.counter());
                        }
                    });
                    assertThat(leader.get(60, TimeUnit.SECONDS)).isEqualTo("a");
                    program.terminate();

                    assertThat(lines.poll(60, TimeUnit.SECONDS)).isEqualTo("lost CLOSED");
                    assertThat(elected.get(60, TimeUnit.SECONDS)).isPositive();
                }
            }
        }
    }

    private static ClusterMembership open(String id, int port, int other) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return ClusterMembership.open(ClusterSettings.local("shop", id)
                .listeningOn(loopback, port)
                .finding(new Discovery.Peers(
                        List.of(new InetSocketAddress(loopback, port), new InetSocketAddress(loopback, other)))));
    }

    /** A candidate that prints when it is elected and when it loses the leadership. */
    static final class RingProgram {
        private RingProgram() {}

        /** @param ports the port of this process, and the port of the other process */
        public static void main(String[] ports) throws Exception {
            try (var membership = open("a", Integer.parseInt(ports[0]), Integer.parseInt(ports[1]));
                    var election =
                            RingElection.named("orders").membership(membership).open();
                    var candidate = election.join("a")) {
                candidate.listen(new ElectionListener<RingLeadership>() {
                    @Override
                    public void lost(LossCause cause) {
                        System.out.println("lost " + cause);
                    }
                });
                candidate.whileLeading(leadership -> {
                    System.out.println("leads");
                    new CountDownLatch(1).await();
                });
            }
        }
    }
}
