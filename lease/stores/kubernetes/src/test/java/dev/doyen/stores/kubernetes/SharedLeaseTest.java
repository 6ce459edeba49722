package dev.doyen.stores.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.event.Leader;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.store.LeaseStore;
import dev.doyen.testkit.TcpProxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests Doyen's candidates on one Lease, alone and together with another elector.
 *
 * <p>The candidates resign, lose their network or lose their Lease.
 */
@Timeout(300)
class SharedLeaseTest {

    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofSeconds(90);

    private final String election = "shared-" + UUID.randomUUID();

    @Test
    void candidates_of_doyen_and_fabric8_never_lead_together() throws Exception {
        KubernetesServer server = Api.server();
        try (var first = new Doyen(server, "doyen-1");
                var second = new Doyen(server, "doyen-2");
                var fabric8 = new Fabric8Peer(server, election, "fabric8");
                var watch = new OneAtATime(Map.of(
                        "doyen-1", first.candidate::isLeader,
                        "doyen-2", second.candidate::isLeader,
                        "fabric8", fabric8::isLeading))) {
            Set<Long> terms = new HashSet<>();
            long highest = 0;
            for (int round = 0; round < 4; round++) {
                await("a candidate of Doyen leads", () -> first.leads() || second.leads());
                Doyen leader = first.leads() ? first : second;
                Doyen follower = leader == first ? second : first;
                long term =
                        leader.candidate.leadership().map(LeaseLeadership::term).orElse(highest + 1);
                assertThat(term).as("terms rise").isGreaterThan(highest);
                highest = term;
                assertThat(terms.add(term)).isTrue();

                fabric8.campaign();
                await("fabric8 observes the leader", () -> fabric8.leader().equals(leader.id));
                follower.candidate.pause().get(60, TimeUnit.SECONDS);
                if (round % 2 == 0) {
                    leader.candidate.pause().get(60, TimeUnit.SECONDS);
                } else {
                    leader.network.cut();
                }
                await("fabric8 leads", fabric8::isLeading);
                await("the follower observes that fabric8 leads", () -> follower.sees("fabric8"));
                leader.network.pass();
                leader.candidate.resume();
                follower.candidate.resume();
                if (round < 2) {
                    fabric8.cancel();
                } else {
                    fabric8.network().cut();
                }
                await("a candidate of Doyen leads again", () -> first.leads() || second.leads());
                await("fabric8 has stopped", () -> !fabric8.isLeading());
                fabric8.cancel();
                fabric8.network().pass();
                Doyen next = first.leads() ? first : second;
                next.candidate.resign().get(60, TimeUnit.SECONDS);
            }
            assertThat(watch.overlaps()).isEmpty();
            assertThat(watch.checks()).isGreaterThan(1000);
        }
    }

    @Test
    void a_lease_deleted_under_its_leader_is_waited_for_and_terms_continue() throws Exception {
        KubernetesServer server = Api.server();
        try (var first = new Doyen(server, "doyen-1");
                var second = new Doyen(server, "doyen-2");
                var watch = new OneAtATime(
                        Map.of("doyen-1", first.candidate::isLeader, "doyen-2", second.candidate::isLeader))) {
            await("a candidate leads", () -> first.leads() || second.leads());
            await(
                    "both candidates observe the leader",
                    () -> first.candidate.leader().isPresent()
                            && second.candidate.leader().isPresent());
            Doyen leader = first.leads() ? first : second;
            long term = leader.candidate.leadership().orElseThrow().term();
            long deletedAt = System.nanoTime();
            Api.delete(server, Api.LEASES + "/" + election);
            await("the leader steps down", () -> !leader.leads());
            assertThat(Duration.ofNanos(System.nanoTime() - deletedAt))
                    .as("the leader steps down at its next read or renewal")
                    .isLessThan(TTL);
            await("a candidate leads again", () -> first.leads() || second.leads());
            assertThat(Duration.ofNanos(System.nanoTime() - deletedAt))
                    .isGreaterThan(TTL.multipliedBy(9).dividedBy(10));
            Doyen next = first.leads() ? first : second;
            assertThat(next.candidate.leadership().orElseThrow().term()).isGreaterThan(term);
            assertThat(watch.overlaps()).isEmpty();
        }
    }

    @Test
    void a_lease_taken_over_from_a_pod_outlives_that_pod() throws Exception {
        KubernetesServer server = Api.server();
        server.startControllerManager();
        String pod = "pod-" + election;
        String uid = Api.pod(server, pod);
        String owner = "\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"" + pod
                + "\",\"uid\":\"" + uid + "\"}]";
        String witness = "witness-" + UUID.randomUUID();
        for (String name : new String[] {election, witness}) {
            Api.ok(server.send(
                    "POST",
                    Api.LEASES,
                    "{\"metadata\":{\"name\":\"" + name + "\"," + owner
                            + "},\"spec\":{\"holderIdentity\":\"client-go\",\"leaseDurationSeconds\":1}}"));
        }
        try (var doyen = new Doyen(server, "doyen-1")) {
            await("the candidate acquires the expired lease", doyen::leads);
            long term = doyen.candidate.leadership().orElseThrow().term();
            Api.delete(server, Api.PODS + "/" + pod);
            await("the garbage collector deletes the objects of the Pod", () -> isGone(server, witness));
            assertThat(isGone(server, election)).isFalse();
            assertThat(doyen.leads()).isTrue();
            assertThat(doyen.candidate.leadership().orElseThrow().term()).isEqualTo(term);
        }
    }

    private static boolean isGone(KubernetesServer server, String lease) {
        try {
            return server.send("GET", Api.LEASES + "/" + lease, "").statusCode() == 404;
        } catch (Exception e) {
            throw new IllegalStateException("the request to the server failed", e);
        }
    }

    private static void await(String what, BooleanSupplier happened) throws InterruptedException {
        long start = System.nanoTime();
        while (!happened.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).as(what).isLessThan(SOON);
            new Semaphore(0).tryAcquire(5, TimeUnit.MILLISECONDS);
        }
    }

    /** One candidate with its own store, whose network connection the test can cut. */
    private final class Doyen implements AutoCloseable {

        final String id;
        final TcpProxy network;
        final Election open;
        final LeaseCandidate candidate;

        Doyen(KubernetesServer server, String id) throws Exception {
            this.id = id;
            network = new TcpProxy(server.api().port());
            open = Election.lease(election)
                    .store(LeaseStore.open("kubernetes:?kubeconfig=" + server.kubeconfig("admin", network.port())
                            + "&timeout-millis=1000"))
                    .ttl(TTL)
                    .open();
            candidate = open.join(id);
        }

        boolean leads() {
            return candidate.isLeader();
        }

        boolean sees(String leader) {
            return candidate.leader().map(Leader::id).equals(Optional.of(leader));
        }

        @Override
        public void close() throws Exception {
            open.close();
            network.close();
        }
    }
}
