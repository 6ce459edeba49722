package dev.doyen.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Chaos tests of a ring whose members run in separate network namespaces, like three machines.
 *
 * <p>The members share a secret, which encrypts the messages. Some tests cut the network.
 */
class NamespaceRingChaosTest extends RingChaos {

    private static final int PLACES = 3;
    private static RingNetwork network;

    @BeforeAll
    static void connect() throws Exception {
        assumeTrue(
                Namespace.isPossible(),
                "SKIPPED: network namespaces need root and the program ip (iproute2); what is tried without them is a ring"
                        + " of one JVM whose messages are discarded, in ClusterElectionTest of group/jgroups/");
        network = RingNetwork.open(PLACES);
    }

    @AfterAll
    static void disconnect() throws Exception {
        if (network != null) {
            network.close();
        }
    }

    @Override
    List<String> addresses() {
        return IntStream.range(0, PLACES)
                .mapToObj(place -> network.address(place) + ":7800")
                .toList();
    }

    @Override
    List<String> prefix(int place) {
        return network.prefix(place);
    }

    @Override
    String secret() {
        return "a secret of thirty-two characters";
    }

    @Override
    String where() {
        return "in network namespaces";
    }

    @Test
    void the_others_elect_a_leader_during_a_partition_and_all_have_one_afterwards() throws Exception {
        startAll();
        var cut = new Spans();
        var alone = new ArrayList<Long>();
        var healed = new Spans();
        for (int round = 0; round < ROUNDS; round++) {
            String old = agreed();
            int place = placeOf(old);
            cut.goes(old);
            long from = RingMember.micros();
            network.cut(place);
            cut.add(followed(old, from));
            Span own = Span.of(
                    from, output.awaitAgreement(Set.of(old), old::equals).values());
            alone.add(own.view());

            long back = RingMember.micros();
            network.heal(place);
            healed.add(
                    Span.of(back, output.awaitAgreement(ids(), leader -> true).values()));
            long settled = RingMember.micros();
            String one = agreed();
            assertThat(output.ledAfter(settled))
                    .isNotEmpty()
                    .allMatch(led -> led.by().equals(one));
        }
        assertThat(cut.views)
                .allMatch(millis -> millis < SILENT.plus(BUSY_MACHINE).toMillis());
        assertThat(output.faults()).isEmpty();
        cut.print("leader cut off");
        System.out.println(
                "chaos ring " + where() + ", leader cut off: alone in its own view after " + median(alone) + " ms");
        healed.print("network healed");
    }
}
