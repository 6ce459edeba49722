package dev.doyen.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.chaos.RingOutput.MemberState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Chaos tests of three pods with {@code doyen ring} that find each other by DNS.
 *
 * <p>Each pod is a process with its own network namespace and address. To find the other pods, a pod resolves the name
 * of a headless Service. The test runs the DNS server, and writes the same resolver settings as a kubelet. The DNS
 * server gives the answers that occur in Kubernetes: the addresses of some or all pods, addresses of former pods, an
 * unknown name before the first pod exists, and failures. {@code -Dchaos.rounds=5} runs five rounds and prints the
 * medians of their times.
 */
class ServiceRingChaosTest {

    private static final int PODS = 3;

    /** The number of addresses. In a rollout each pod gets a new address. */
    private static final int PLACES = 2 * PODS;

    /**
     * The maximum time from a change of the DNS answers until all members form one ring.
     *
     * <p>Java caches an answer for 1 s. JGroups searches for other members after at most 7.5 s. Every 8 s, JGroups
     * checks whether it has found different views, and then merges them.
     */
    private static final long MERGED_MILLIS = 19_000 + RingChaos.BUSY_MACHINE.toMillis();

    private final RingOutput output = new RingOutput();
    private final Map<String, PodProcess> pods = new LinkedHashMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private RingNetwork network;
    private NameServerProcess dns;
    private Path resolver;
    private Path secret;

    @BeforeEach
    void connect(@TempDir Path folder) throws Exception {
        assumeTrue(
                Namespace.isPossible(),
                "SKIPPED: pods with an address each need network namespaces, and these root and the program ip (iproute2);"
                        + " what is tried without is two processes on loopback, in RingManifestTest of testing/program/");
        network = RingNetwork.open(PLACES + 1);
        opened.add(network);
        String address = network.address(PLACES);
        dns = NameServerProcess.start(network.prefix(PLACES), address);
        opened.add(0, dns);
        resolver = Files.writeString(
                folder.resolve("resolv.conf"),
                "search " + NameServer.SEARCH + "\nnameserver " + address + "\noptions ndots:5\n");
        secret = Files.writeString(folder.resolve("ring.secret"), "a secret of thirty-two characters");
    }

    @AfterEach
    void end() throws Exception {
        for (PodProcess pod : pods.values()) {
            pod.close();
        }
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void pods_that_first_resolve_only_themselves_become_one_ring() throws Exception {
        become("pods that first resolve only themselves: one ring after", dns::publishEachToItself);
    }

    @Tag("long")
    @Test
    void pods_that_start_before_the_name_exists_become_one_ring() throws Exception {
        become("pods that start before the name exists: one ring after", () -> dns.publish(List.of()));
    }

    private interface Answers {
        void begin() throws Exception;
    }

    /**
     * Starts the pods while DNS gives the answers of {@code first}, so that each pod forms a separate ring. Then DNS
     * returns the addresses of all pods, and the pods must form one ring.
     */
    private void become(String what, Answers first) throws Exception {
        var merged = new ArrayList<Long>();
        for (int round = 0; round < RingChaos.ROUNDS; round++) {
            first.begin();
            startAll(round);
            for (String id : ids()) {
                output.awaitAgreement(Set.of(id), id::equals);
            }
            long from = RingMember.micros();
            dns.publish(addresses());
            merged.add(millis(from, agreed()));
            deleteAll();
        }
        assertThat(merged).allMatch(millis -> millis < MERGED_MILLIS);
        print(what, merged);
    }

    @Test
    void a_rollout_that_replaces_every_address_leaves_one_ring_whose_terms_rise() throws Exception {
        var joined = new ArrayList<Long>();
        int alone = 0;
        for (int round = 0; round < RingChaos.ROUNDS; round++) {
            dns.publish(firstAddresses());
            startAll(round);
            long first = term(agreed());
            var gone = new ArrayList<String>();
            for (int pod = 0; pod < PODS; pod++) {
                // The answers also contain the addresses of former pods, in front of the current addresses. A DNS
                // cache can return such old addresses for a while.
                var named = new ArrayList<>(gone);
                named.addAll(addresses());
                named.add(network.address(PODS + pod));
                dns.publish(named);
                long from = RingMember.micros();
                String id = name(round, PODS + pod);
                start(id, PODS + pod);
                joined.add(millis(from, agreed()));
                alone += output.wasAlone(id) ? 1 : 0;
                PodProcess old = pods.remove(name(round, pod));
                gone.add(old.address());
                old.delete();
                // The address is now unused, and connections to it get no answer.
                network.cut(pod);
                agreed();
            }
            assertThat(addresses()).doesNotContainAnyElementsOf(gone);
            assertThat(term(agreed())).isGreaterThan(first);
            deleteAll();
            healAll();
        }
        assertThat(output.faults()).isEmpty();
        assertThat(alone).as("number of pods that started a separate ring").isZero();
        print("rollout: from the start of the JVM until the pod is in the ring:", joined);
    }

    @Test
    void the_ring_survives_a_failure_of_the_name_server() throws Exception {
        var merged = new ArrayList<Long>();
        for (int round = 0; round < RingChaos.ROUNDS; round++) {
            dns.publish(firstAddresses());
            startAll(round);
            String leader = leader(agreed());
            if (round % 2 == 0) {
                dns.fail();
            } else {
                dns.stopAnswering();
            }
            String late = name(round, PODS);
            var others = ids();
            start(late, PODS);
            output.awaitAgreement(Set.of(late), late::equals);
            assertThat(leader(output.awaitAgreement(others, each -> true))).isEqualTo(leader);
            long from = RingMember.micros();
            dns.publish(addresses());
            merged.add(millis(from, agreed()));
            deleteAll();
        }
        assertThat(merged).allMatch(millis -> millis < MERGED_MILLIS);
        print("pod that starts during a failure of DNS: in the ring after", merged);
    }

    private void startAll(int round) throws Exception {
        for (int place = 0; place < PODS; place++) {
            start(name(round, place), place);
        }
    }

    private void start(String id, int place) throws Exception {
        var arguments = List.of("--secret-file=" + secret);
        pods.put(id, PodProcess.start(network.prefix(place), resolver, id, network.address(place), arguments, output));
    }

    private void deleteAll() throws Exception {
        for (PodProcess pod : pods.values()) {
            pod.close();
        }
        pods.clear();
    }

    /** Reconnects the places that the round disconnected, for the next round. */
    private void healAll() throws Exception {
        for (int place = 0; place < PODS; place++) {
            network.heal(place);
        }
    }

    private Map<String, MemberState> agreed() throws InterruptedException {
        return output.awaitAgreement(ids(), leader -> true);
    }

    /** Returns the addresses of the first pods. */
    private List<String> firstAddresses() {
        return IntStream.range(0, PODS).mapToObj(network::address).toList();
    }

    private Set<String> ids() {
        return Set.copyOf(pods.keySet());
    }

    private List<String> addresses() {
        return pods.values().stream().map(PodProcess::address).toList();
    }

    private static String name(int round, int pod) {
        return "ring-" + round + "-" + pod;
    }

    private static String leader(Map<String, MemberState> all) {
        return all.values().iterator().next().leader().leader();
    }

    private static long term(Map<String, MemberState> all) {
        return all.values().iterator().next().leader().term();
    }

    /** Returns the milliseconds from {@code from} until the last member had the view and named the leader. */
    private static long millis(long from, Map<String, MemberState> all) {
        return all.values().stream()
                                .mapToLong(each ->
                                        Math.max(each.view().at(), each.leader().at()))
                                .max()
                                .orElseThrow()
                        / 1000
                - from / 1000;
    }

    private static void print(String what, Collection<Long> millis) {
        System.out.printf("chaos service, %s %s ms%n", what, RingChaos.median(List.copyOf(millis)));
    }
}
