package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Contender;
import dev.doyen.benchmarks.contender.Entrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from the leader's SIGKILL to the other candidate's callback.
 *
 * <p>The leader is in a separate JVM, which is killed at a random time. Therefore the time since the last renewal is
 * random too. The other candidate is in this JVM. Up to four systems are measured at the same time. These systems do
 * not distort each other's results, because they mostly wait.
 */
final class Crash implements Part {

    private static final int ROUNDS = 6;
    private static final int AT_ONCE = 4;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "crash";
    }

    @Override
    public List<Figure> run(Run run) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<Figure>> measured = new ArrayList<>();
            for (Entrant entrant : run.entrants()) {
                measured.add(threads.submit(() -> {
                    Run.print("crash: " + entrant.key());
                    return new Figure(name(), "crash fail-over", "ms", entrant, measure(run, entrant));
                }));
            }
            List<Figure> figures = new ArrayList<>();
            for (Future<Figure> each : measured) {
                figures.add(each.get());
            }
            return figures;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Sample measure(Run run, Entrant entrant) throws Exception {
        String url = run.server(entrant).url();
        var random = new Random(entrant.key().hashCode());
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            String election = run.freshName(entrant);
            var elected = new CompletableFuture<Long>();
            try (var leader = ParticipantProcess.start(
                            entrant, url, Run.TTL, election, 1, "leader", List.of("-Xmx256m"));
                    Contender contender = entrant.open(url, Run.TTL)) {
                leader.await("LEADS", LONGEST);
                // The participant in the other JVM appends "-0" to the election's name, so this candidate does the
                // same.
                Contender.Participant follower =
                        contender.join(election + "-0", "follower", () -> elected.complete(System.nanoTime()));
                Run.pause(Run.TTL.dividedBy(2).plusMillis(random.nextInt((int) Run.TTL.toMillis())));
                long began = leader.kill();
                millis.add((elected.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS) - began) / 1e6);
                follower.close();
            }
        }
        return new Sample(millis);
    }
}
