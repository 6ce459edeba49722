package dev.doyen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.benchmarks.contender.Contender;
import dev.doyen.benchmarks.contender.Entrant;
import dev.doyen.benchmarks.server.Server;
import dev.doyen.benchmarks.server.Servers;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that each system leads, hands over, and has its requests counted. It measures no times. */
class EntrantsTest {

    private static Servers servers;

    @BeforeAll
    static void begin() throws Exception {
        servers = new Servers();
    }

    @AfterAll
    static void end() {
        servers.close();
    }

    @ParameterizedTest
    @EnumSource
    void each_leads_hands_over_to_the_other_and_its_requests_are_counted(Entrant entrant) throws Exception {
        Optional<Server> server = servers.get(entrant.server());
        Assumptions.assumeTrue(server.isPresent());
        String url = server.get().url();
        long before = server.get().requests();
        var first = new CountDownLatch(1);
        var second = new CountDownLatch(1);
        try (Contender one = entrant.open(url, Run.TTL);
                Contender other = entrant.open(url, Run.TTL);
                Contender.Seat leader = one.join(entrant.key(), "one", first::countDown)) {
            assertThat(first.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(leader.isLeader()).isTrue();
            try (Contender.Seat follower = other.join(entrant.key(), "other", second::countDown)) {
                assertThat(follower.isLeader()).isFalse();
                leader.close();
                assertThat(second.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(follower.isLeader()).isTrue();
                assertThat(leader.isLeader()).isFalse();
            }
        }
        // The counter may lag behind.
        assertThat(server.get().requests()).isGreaterThanOrEqualTo(before);
    }
}
