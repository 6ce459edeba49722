package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import dev.doyen.benchmarks.server.Server;
import dev.doyen.benchmarks.server.ServerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Measures the requests that reach the server while the leader does not change.
 *
 * <p>One election has a leader and a follower, each in a separate process.
 */
final class Idle implements Part {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration SETTLING = Duration.ofSeconds(4);

    /** The duration of one count. It exceeds three ttls, the longest interval between two periodic reads. */
    private static final Duration WINDOW = Duration.ofSeconds(11);

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public List<Figure> run(Run run) throws Exception {
        // The kinds of servers run at the same time, because each counts its own requests. Systems on one server run
        // one after another.
        Map<ServerKind, List<Entrant>> byServer =
                run.entrants().stream().collect(Collectors.groupingBy(Entrant::server));
        ExecutorService threads = Executors.newFixedThreadPool(ServerKind.values().length);
        try {
            List<Future<List<Figure>>> measured = new ArrayList<>();
            for (List<Entrant> entrants : byServer.values()) {
                measured.add(threads.submit(() -> measure(run, entrants)));
            }
            List<Figure> figures = new ArrayList<>();
            for (Future<List<Figure>> each : measured) {
                figures.addAll(each.get());
            }
            figures.sort(Comparator.comparing(Figure::entrant));
            return figures;
        } finally {
            threads.shutdownNow();
        }
    }

    private List<Figure> measure(Run run, List<Entrant> entrants) throws Exception {
        List<Figure> figures = new ArrayList<>();
        for (Entrant entrant : entrants) {
            Run.print("idle: " + entrant.key());
            String url = run.server(entrant).url();
            String election = run.freshName(entrant);
            try (var leader =
                    ParticipantProcess.start(entrant, url, Run.TTL, election, 1, "leader", List.of("-Xmx256m"))) {
                leader.await("LEADS", LONGEST);
                try (var follower =
                        ParticipantProcess.start(entrant, url, Run.TTL, election, 1, "follower", List.of("-Xmx256m"))) {
                    follower.await("JOINED", LONGEST);
                    Run.pause(SETTLING);
                    Sample perSecond = requestsPerSecond(run.server(entrant), WINDOW, 1);
                    figures.add(new Figure(name(), "requests per second, 1 election", "/s", entrant, perSecond));
                }
            }
        }
        return figures;
    }

    /** Returns the requests per second that reach the server, in this number of consecutive windows. */
    static Sample requestsPerSecond(Server server, Duration window, int windows) throws Exception {
        List<Double> perSecond = new ArrayList<>();
        for (int i = 0; i < windows; i++) {
            long before = server.requests();
            long began = System.nanoTime();
            Run.pause(window);
            long requests = server.requests() - before;
            perSecond.add(requests / ((System.nanoTime() - began) / 1e9));
        }
        return new Sample(perSecond);
    }
}
