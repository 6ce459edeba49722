package dev.doyen.benchmarks.jmh;

import dev.doyen.benchmarks.contender.Contender;
import dev.doyen.benchmarks.contender.Entrant;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Calls isLeader() on a leader. Each system has its own JVMs, so that the code of other systems does not affect the
 * result.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CallIsLeader {

    /**
     * The prefix of the system property with the server URL of an entrant. The name of the entrant follows the prefix.
     */
    public static final String URL = "doyen.bench.url.";

    /** The name of the entrant. The code that starts JMH sets this field. */
    @Param("")
    public String entrant = "";

    private Contender contender = new Nobody();
    private Contender.Participant participant = new Nobody();

    @Setup
    public void lead() throws InterruptedException {
        Entrant chosen = Entrant.valueOf(entrant);
        var elected = new CountDownLatch(1);
        String election = "jmh-" + entrant + "-" + ProcessHandle.current().pid();
        contender = chosen.open(System.getProperty(URL + entrant), Duration.ofSeconds(10));
        participant = contender.join(election, "leader", elected::countDown);
        if (!elected.await(30, TimeUnit.SECONDS) || !participant.isLeader()) {
            throw new IllegalStateException(entrant + " does not lead within 30 s");
        }
    }

    @Benchmark
    public boolean isLeader() {
        return participant.isLeader();
    }

    @TearDown
    public void leave() {
        participant.close();
        contender.close();
    }

    /** The placeholder for the contender and the participant before the set-up. */
    private static final class Nobody implements Contender, Contender.Participant {
        @Override
        public Contender.Participant join(String election, String id, Runnable onElected) {
            return this;
        }

        @Override
        public boolean isLeader() {
            return false;
        }

        @Override
        public void close() {}
    }
}
