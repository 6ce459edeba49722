package dev.doyen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.benchmarks.contender.Contender;
import dev.doyen.benchmarks.contender.Entrant;
import dev.doyen.benchmarks.server.Server;
import dev.doyen.benchmarks.server.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that each system elects a leader and hands over, and that each server reports its number of requests. The test
 * measures no times.
 */
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
    void each_candidate_hands_over_and_its_requests_are_counted(Entrant entrant) throws Exception {
        Optional<Server> started = servers.get(entrant.server());
        Assumptions.assumeTrue(started.isPresent());
        Server server = started.get();
        var first = new CountDownLatch(1);
        var second = new CountDownLatch(1);
        List<Contender> contenders = new ArrayList<>();
        try {
            // An embedded server runs in its candidates, so the test must start all of them.
            for (int i = 0; i < (entrant.server().isEmbedded() ? Server.CANDIDATES : 2); i++) {
                contenders.add(entrant.open(server.url(i), Run.TTL));
            }
            Contender.Participant leader = contenders.get(0).join(entrant.key(), "one", first::countDown);
            assertThat(first.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(leader.isLeader()).isTrue();
            long before = server.requests();
            Contender.Participant follower = contenders.get(1).join(entrant.key(), "other", second::countDown);
            assertThat(follower.isLeader()).isFalse();
            leader.close();
            assertThat(second.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(follower.isLeader()).isTrue();
            assertThat(leader.isLeader()).isFalse();
            // A server can update its counter late, so the test does not require that the counter has risen.
            assertThat(server.requests()).isGreaterThanOrEqualTo(before);
            follower.close();
        } finally {
            contenders.forEach(Contender::close);
        }
    }
}
