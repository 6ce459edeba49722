package dev.doyen.chaos.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.chaos.random.ChaosJudge.Interval;
import dev.doyen.jvms.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills the process that leads both the election and the log of the quorum.
 *
 * <p>The test checks safety, and that another process leads afterwards. The test prints the time without a leader.
 *
 * <p>{@code -Dchaos.rounds=20} runs 20 rounds and prints the median of their times. {@code -Dchaos.ttl.millis=5000}
 * sets a ttl of 5000 ms; the default is 1000 ms. The ledgers remain in target/.
 */
@Tag("long")
class QuorumFailoverChaosTest {

    private static final String ELECTION = "chaos";
    private static final Duration TTL = Duration.ofMillis(Long.getLong("chaos.ttl.millis", 1000));
    private static final int ROUNDS = Integer.getInteger("chaos.rounds", 1);
    private static final Patience PATIENCE = new Patience(Duration.ofMinutes(2));
    private static final long LED_WITHIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ChaosJudge judge = new ChaosJudge(TTL);
    private final Random random = new Random(31);
    private ChaosTarget target;
    private ChaosProcesses processes;

    @BeforeEach
    void start() throws Exception {
        target = ChaosStore.QUORUM.open(TTL);
        processes = new ChaosProcesses(
                target,
                new ChaosProcesses.Settings(
                        ChaosStore.QUORUM,
                        ChaosRun.emptied(Path.of("target", "chaos", "failover")),
                        1,
                        TTL,
                        List.of(ELECTION)),
                judge::note);
        processes.startAll();
    }

    @AfterEach
    void end() throws Exception {
        processes.close();
        target.close();
    }

    @Test
    void after_sigkill_of_the_process_that_leads_the_election_and_the_log_another_leads() throws Exception {
        List<Long> millis = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            ChaosProcess victim = leaderOfBoth();
            // Wait for a random time, so that the kill can occur at any time between two renewals.
            LockSupport.parkNanos((long) (TTL.toNanos() * random.nextDouble()));
            processes.read();
            long term = last().term();
            long killed = System.nanoTime();
            victim.close();
            PATIENCE.await("a leader after SIGKILL of " + victim.id(), () -> {
                processes.read();
                return last().term() > term && !last().process().equals(victim.id());
            });
            millis.add(TimeUnit.NANOSECONDS.toMillis(last().first() - killed));
            processes.replace(victim);
        }
        assertThat(judge.overlaps()).isEmpty();
        assertThat(judge.wrongTerms()).isEmpty();
        assertThat(judge.lostStates()).isEmpty();
        print(millis);
    }

    /**
     * Transfers the leadership of the election to the member that leads the log.
     *
     * <p>Returns that member when the member leads both the log and the election, and all processes are candidates.
     */
    private ChaosProcess leaderOfBoth() throws Exception {
        PATIENCE.await("one process that leads the log and the election", () -> {
            processes.read();
            return processes.haveAllJoined() && processes.logLeader().isPresent() && isLed() && isOne();
        });
        return processes.logLeader().orElseThrow();
    }

    private boolean isOne() throws Exception {
        ChaosProcess logLeader = processes.logLeader().orElseThrow();
        if (last().process().equals(logLeader.id())) {
            return true;
        }
        logLeader.writeLine("transfer " + ELECTION + " " + logLeader.id());
        // Wait for the transfer. The next check shows whether the transfer succeeded.
        LockSupport.parkNanos(TTL.toNanos());
        return false;
    }

    private boolean isLed() {
        return judge.lastIn(ELECTION)
                .filter(each -> System.nanoTime() - each.last() < LED_WITHIN_NANOS)
                .isPresent();
    }

    private Interval last() {
        return judge.lastIn(ELECTION).orElseThrow();
    }

    private static void print(List<Long> millis) {
        List<Long> sorted = millis.stream().sorted().toList();
        System.out.printf(
                "chaos quorum, ttl %d ms, SIGKILL of the leader of the election and of the log: a leader again after %d ms"
                        + " (median of %d; %d to %d)%n",
                TTL.toMillis(),
                sorted.get(sorted.size() / 2),
                sorted.size(),
                sorted.get(0),
                sorted.get(sorted.size() - 1));
    }
}
