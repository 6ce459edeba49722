package dev.doyen.drills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The drills of voters in network namespaces of their own, sealed by a secret, as on so many machines; and their network cut. */
class NamespaceVoterDrillTest extends VoterDrill {

    private static final int PLACES = 5;
    private RingNetwork network;

    static List<Integer> sizes() {
        return sizes(PLACES);
    }

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(
                Namespace.isPossible(),
                "SKIPPED: network namespaces need root and the program ip (iproute2); what is tried without them is voters"
                        + " that are killed, closed and stopped, in LoopbackVoterDrillTest, and cuts in the simulator");
        network = RingNetwork.open(PLACES);
    }

    @AfterEach
    void disconnect() throws Exception {
        if (network != null) {
            endAll();
            network.close();
        }
    }

    @Override
    VoterRing.Ground ground(int size) {
        return new VoterRing.Ground() {
            @Override
            public List<String> addresses() {
                return IntStream.range(0, size)
                        .mapToObj(place -> network.address(place) + ":7800")
                        .toList();
            }

            @Override
            public List<String> prefix(int place) {
                return network.prefix(place);
            }

            @Override
            public String secret() {
                return "a secret of thirty-two characters";
            }
        };
    }

    @Override
    String where() {
        return "in network namespaces";
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void a_leader_on_the_side_of_the_fewer_leads_no_more_and_the_side_of_the_more_elects(int size) // V1, V2, V3
            throws Exception {
        VoterRing ring = ring(size);
        for (int round = 0; round < RingDrill.ROUNDS; round++) {
            String old = ring.settled();
            List<List<Integer>> sides = sides(ring, old);
            Set<String> fewer = VoterRing.in(sides.get(0));
            var from = new Instants();
            network.divide(sides);
            String next = followed(ring, "cut", old, VoterRing.in(sides.get(1)), from.nanos, from.micros);
            ring.sayings.awaitNobody(fewer, NO_QUORUM, from.micros);
            note("cut: the old leader was certain for", (lastOf(ring, old) - from.nanos) / 1_000_000);

            var back = new Instants();
            network.unite();
            var all = ring.sayings.awaitAgreement(ring.ids(), next::equals);
            note(
                    "healed: until all name the leader of the more",
                    RingDrill.Span.of(back.micros, all.values()).view()
                            + RingDrill.Span.of(back.micros, all.values()).names());
        }
        for (int round = 0; round < RingDrill.ROUNDS; round++) {
            String old = ring.settled();
            var from = new Instants();
            ring.kill(old);
            followed(ring, "SIGKILL", old, ring.idsBut(old), from.nanos, from.micros);
            ring.start(old);
        }
        holds(ring);
        say(ring);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void where_no_side_has_a_quorum_nobody_leads_and_nobody_is_named(int size) throws Exception { // V1, V3
        VoterRing ring = ring(size);
        for (int round = 0; round < RingDrill.ROUNDS; round++) {
            ring.agreed();
            List<List<Integer>> groups = IntStream.range(0, 3)
                    .mapToObj(group -> places(group * (size / 2), Math.min(size, (group + 1) * (size / 2))))
                    .toList();
            var from = new Instants();
            network.divide(groups);
            for (List<Integer> group : groups) {
                ring.sayings.awaitNobody(VoterRing.in(group), NO_QUORUM, from.micros);
            }
            var silent = new Instants();
            note("cut in three: until all know that nobody leads", (silent.micros - from.micros) / 1000);
            // For long enough that whoever were to elect itself would have.
            long later = silent.micros + 2 * TIMING.follow().toMillis() * 1000;
            for (List<Integer> group : groups) {
                ring.sayings.awaitNobody(VoterRing.in(group), NO_QUORUM, later);
            }
            var back = new Instants();
            assertThat(ring.sayings.claims().firstAfter(silent.nanos)).isEmpty();
            network.unite();
            ring.agreed();
            long first = ring.sayings.claims().firstAfter(silent.nanos).orElseThrow();
            assertThat(first).isGreaterThan(back.nanos);
            note("healed after that: until one leads", (first - back.nanos) / 1_000_000);
        }
        holds(ring);
        say(ring);
    }

    /** The leader and as many as are fewer than half, and the others. */
    private static List<List<Integer>> sides(VoterRing ring, String leader) {
        var fewer = new TreeSet<>(Set.of(VoterRing.placeOf(leader)));
        var more = new ArrayList<Integer>();
        for (String id : ring.idsBut(leader)) {
            if (fewer.size() < ring.quorum() - 1) {
                fewer.add(VoterRing.placeOf(id));
            } else {
                more.add(VoterRing.placeOf(id));
            }
        }
        return List.of(List.copyOf(fewer), more);
    }

    private static long lastOf(VoterRing ring, String id) {
        return ring.sayings.claims().of(id, 0).stream()
                .mapToLong(Claims.Claim::to)
                .max()
                .orElseThrow();
    }
}
