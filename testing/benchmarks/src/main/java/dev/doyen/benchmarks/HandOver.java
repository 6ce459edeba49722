package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Contender;
import dev.doyen.benchmarks.contender.Entrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from the leader's departure to the other candidate's callback.
 *
 * <p>The measurement starts immediately before the call that makes the leader leave. Both candidates are in this JVM,
 * so that both times are read from the same clock. Each candidate has its own connection. The candidate that left joins
 * again as the follower of the next round.
 */
final class HandOver implements Part {

    private static final int WARM_UP = 5;
    private static final int ROUNDS = 30;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "handover";
    }

    @Override
    public List<Figure> run(Run run) throws Exception {
        List<Figure> figures = new ArrayList<>();
        for (Entrant entrant : run.entrants()) {
            Run.print("handover: " + entrant.key());
            figures.add(new Figure(name(), "graceful handover", "ms", entrant, measure(run, entrant)));
        }
        return figures;
    }

    private static Sample measure(Run run, Entrant entrant) throws Exception {
        String url = run.server(entrant).url();
        String election = run.freshName(entrant);
        var elected = new LinkedBlockingQueue<Elected>();
        var random = new Random(1);
        List<Double> millis = new ArrayList<>();
        try (Contender one = entrant.open(url, Run.TTL);
                Contender other = entrant.open(url, Run.TTL)) {
            Contender leading = one;
            Contender following = other;
            Contender.Participant leader = join(leading, election, elected);
            next(elected, leading, entrant);
            Contender.Participant follower = join(following, election, elected);
            for (int i = 0; i < WARM_UP + ROUNDS; i++) {
                // Rounds have random lengths, so that the handovers do not follow the rhythm of a system's polls.
                Run.pause(Duration.ofMillis(200 + random.nextInt(200)));
                long began = System.nanoTime();
                leader.close();
                long ended = next(elected, following, entrant);
                if (i >= WARM_UP) {
                    millis.add((ended - began) / 1e6);
                }
                leader = follower;
                Contender left = leading;
                leading = following;
                following = left;
                follower = join(following, election, elected);
            }
            follower.close();
            leader.close();
        }
        return new Sample(millis);
    }

    private static Contender.Participant join(
            Contender contender, String election, LinkedBlockingQueue<Elected> elected) {
        return contender.join(election, "candidate", () -> elected.add(new Elected(contender, System.nanoTime())));
    }

    private static long next(LinkedBlockingQueue<Elected> elected, Contender expected, Entrant entrant)
            throws InterruptedException {
        Elected next = elected.poll(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null || !next.who.equals(expected)) {
            throw new IllegalStateException(entrant.key() + (next == null ? ": no candidate" : ": the wrong candidate")
                    + " was elected within " + LONGEST.toSeconds() + " s");
        }
        return next.atNanos;
    }

    private record Elected(Contender who, long atNanos) {}
}
