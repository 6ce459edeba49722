package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures a thousand elections that one process leads.
 *
 * <p>First, the part measures the time until every election has a leader. Then a second process follows in all
 * elections. The part measures the memory and threads of the leading process, and the requests that reach the server
 * while no leader changes.
 */
final class Thousand implements Part {

    private static final int ELECTIONS = 1_000;
    private static final List<String> JVM = List.of("-Xmx512m");
    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /**
     * The duration of one count. Two counts take three ttls. Within three ttls, each candidate of Doyen reads its
     * record once.
     */
    private static final Duration WINDOW = Duration.ofSeconds(15);

    @Override
    public String name() {
        return "thousand";
    }

    @Override
    public List<Figure> run(Run run) throws Exception {
        List<Figure> figures = new ArrayList<>();
        for (Entrant entrant : run.entrants()) {
            if (entrant.isForMany()) {
                Run.print("a thousand elections: " + entrant.key());
                measure(run, entrant, figures);
            }
        }
        return figures;
    }

    private void measure(Run run, Entrant entrant, List<Figure> figures) throws Exception {
        String url = run.server(entrant).url();
        String prefix = run.freshName(entrant);
        try (var leader = ParticipantProcess.start(entrant, url, Run.TTL_OF_MANY, prefix, ELECTIONS, "leader", JVM)) {
            started(run, entrant, leader, figures);
            try (var follower =
                    ParticipantProcess.start(entrant, url, Run.TTL_OF_MANY, prefix, ELECTIONS, "follower", JVM)) {
                follower.await("JOINED", LONGEST);
                Run.pause(SETTLING);
                Sample perSecond = Idle.requestsPerSecond(run.server(entrant), WINDOW, 2);
                figures.add(new Figure(name(), "requests per second, 1,000 elections", "/s", entrant, perSecond));
                var taken = leader.measure();
                figures.add(figure(entrant, "1,000 elections: leader's heap", "MB", taken.heap() / 1e6));
                figures.add(figure(entrant, "1,000 elections: leader's RSS", "MB", taken.rss() / 1e6));
                figures.add(figure(entrant, "1,000 elections: leader's threads", "", (double) taken.threads()));
                if (taken.leading() < ELECTIONS) {
                    run.remark(entrant.label() + ": of 1,000 elections the first process led " + taken.leading()
                            + ", and its follower " + follower.measure().leading()
                            + " at the end; this machine is too slow, or too busy");
                }
            }
        }
    }

    private void started(Run run, Entrant entrant, ParticipantProcess leader, List<Figure> figures)
            throws IOException, InterruptedException {
        try {
            double started = leader.await("LEADS", LONGEST);
            figures.add(figure(entrant, "1,000 elections: start until all lead", "ms", started));
        } catch (IllegalStateException e) {
            run.remark(
                    entrant.label() + ": of 1,000 elections " + leader.measure().leading() + " were led after "
                            + LONGEST.toSeconds() + " s, so there is no figure for the start");
        }
    }

    private Figure figure(Entrant entrant, String what, String unit, double value) {
        return new Figure(name(), what, unit, entrant, Sample.of(value));
    }
}
