package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures a process that leads a hundred thousand elections on PostgreSQL.
 *
 * <p>The part measures the start, the statements per second, the memory and the threads. Afterwards a second process
 * joins all elections as a follower, and the part measures the statements again. Only Doyen takes part, because no
 * other product is designed for so many elections.
 */
final class HundredThousand implements Part {

    private static final int ELECTIONS = 100_000;
    private static final Entrant ENTRANT = Entrant.DOYEN_POSTGRES_SESSION;
    private static final List<String> JVM = List.of("-Xmx512m");
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration WINDOW = Duration.ofMinutes(1);

    /**
     * The wait before the requests are counted.
     *
     * <p>In this time, the store's notifications of the first writes arrive, and each candidate reads its record again.
     */
    private static final Duration SETTLING = Duration.ofSeconds(15);

    @Override
    public String name() {
        return "hundred-thousand";
    }

    @Override
    public List<Figure> run(Run run) throws Exception {
        List<Figure> figures = new ArrayList<>();
        if (!run.entrants().contains(ENTRANT)) {
            return figures;
        }
        Run.print("a hundred thousand elections: " + ENTRANT.key());
        String url = run.server(ENTRANT).url();
        String prefix = run.freshName(ENTRANT);
        try (var leader = ParticipantProcess.start(ENTRANT, url, Run.TTL_OF_MANY, prefix, ELECTIONS, "leader", JVM)) {
            add(figures, "start until all lead", "s", leader.await("LEADS", LONGEST) / 1000);
            Run.pause(SETTLING);
            Sample alone = Idle.requestsPerSecond(run.server(ENTRANT), WINDOW, 1);
            add(figures, "statements per second", "/s", alone.median());
            taken(figures, "leader's", leader.measure());
            try (var follower =
                    ParticipantProcess.start(ENTRANT, url, Run.TTL_OF_MANY, prefix, ELECTIONS, "follower", JVM)) {
                follower.await("JOINED", LONGEST);
                Run.pause(SETTLING);
                Sample both = Idle.requestsPerSecond(run.server(ENTRANT), WINDOW, 1);
                add(figures, "statements per second, with a follower", "/s", both.median());
                taken(figures, "follower's", follower.measure());
                add(figures, "still led", "", (double) leader.measure().leading());
            }
        }
        return figures;
    }

    private void taken(List<Figure> figures, String whose, ParticipantProcess.Measured taken) {
        add(figures, whose + " heap", "MB", taken.heap() / 1e6);
        add(figures, whose + " RSS", "MB", taken.rss() / 1e6);
        add(figures, whose + " threads", "", (double) taken.threads());
    }

    private void add(List<Figure> figures, String what, String unit, double value) {
        figures.add(new Figure(name(), "100,000 elections: " + what, unit, ENTRANT, Sample.of(value)));
    }
}
