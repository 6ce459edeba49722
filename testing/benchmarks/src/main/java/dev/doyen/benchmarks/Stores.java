package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import dev.doyen.benchmarks.server.DataFolder;
import dev.doyen.benchmarks.server.Server;
import dev.doyen.benchmarks.server.Servers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Compares Doyen's stores with each other, and with Curator on an embedded ZooKeeper.
 *
 * <p>The part measures the first start, requests, memory, handover and crash, each with {@link ThreeCandidates}. The
 * stores run one after another, so that no other store uses the machine during a measurement.
 */
final class Stores implements Part {

    static final String NAME = "stores";

    /** The other product with which each store is compared. */
    static final Entrant PEER = Entrant.CURATOR_EMBEDDED;

    static final List<Entrant> ENTRANTS = List.of(
            Entrant.DOYEN_EMBEDDED_QUORUM, Entrant.DOYEN_ETCD, Entrant.DOYEN_ZOOKEEPER, Entrant.DOYEN_POSTGRES, PEER);

    private static final int WARM_UP = 3;
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /** The minimum wait after a process was thawed or restarted. Within this time the process is a candidate again. */
    private static final Duration RECOVERY = Duration.ofSeconds(2);

    private final List<Entrant> entrants;
    private final Rounds rounds;

    Stores(List<Entrant> entrants, Rounds rounds) {
        this.entrants = entrants;
        this.rounds = rounds;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Figure> run(Run run) {
        List<Figure> figures = new ArrayList<>();
        for (Entrant entrant : entrants) {
            try {
                measure(run, entrant, figures);
            } catch (Exception e) {
                run.failed("the part " + NAME + " on " + entrant.server().label(), e);
            }
        }
        return figures;
    }

    private void measure(Run run, Entrant entrant, List<Figure> figures) throws Exception {
        List<Double> ready = new ArrayList<>();
        List<Double> led = new ArrayList<>();
        List<Double> both = new ArrayList<>();
        for (int i = 1; i <= rounds.starts(); i++) {
            Run.print("stores: " + entrant.key() + ", first start " + i + " of " + rounds.starts());
            try (var folder = new DataFolder()) {
                long began = System.nanoTime();
                Optional<Server> started = Servers.start(entrant.server(), folder.path());
                if (started.isEmpty()) {
                    run.remark("nothing was measured on " + entrant.server().label() + ": it could not be started");
                    return;
                }
                long readyAt = System.nanoTime();
                try (Server server = started.get();
                        var three = ThreeCandidates.start(entrant, server)) {
                    run.uses(server);
                    led.add(three.firstLeader(readyAt));
                    ready.add((readyAt - began) / 1e6);
                    both.add(ready.get(ready.size() - 1) + led.get(led.size() - 1));
                    if (i == rounds.starts()) {
                        if (!entrant.server().isEmbedded()) {
                            figures.add(figure(entrant, StoresMeasure.SERVER_READY, ready));
                        }
                        figures.add(figure(entrant, StoresMeasure.FIRST_LEADER, led));
                        figures.add(figure(entrant, StoresMeasure.FIRST_START, both));
                        idle(run, entrant, server, three, figures);
                        changes(entrant, three, figures);
                    }
                }
            }
        }
    }

    private void idle(Run run, Entrant entrant, Server server, ThreeCandidates three, List<Figure> figures)
            throws Exception {
        Run.print("stores: " + entrant.key() + ", idle");
        Run.pause(SETTLING);
        // The first count is ignored, because it can include the opening of a connection.
        long unused = server.requests();
        long requests = server.requests();
        long began = System.nanoTime();
        Optional<Traffic> traffic = traffic(run, server, three);
        Run.pause(rounds.idle());
        Optional<Traffic> later = traffic(run, server, three);
        double minutes = (System.nanoTime() - began) / 60e9;
        double perMinute = (server.requests() - requests) / minutes;
        figures.add(figure(entrant, StoresMeasure.REQUESTS, List.of(perMinute / Server.CANDIDATES)));
        if (traffic.isPresent() && later.isPresent()) {
            double segments = later.get().since(traffic.get()) / minutes;
            figures.add(figure(entrant, StoresMeasure.SEGMENTS, List.of(segments)));
        }
        List<Double> each = new ArrayList<>();
        for (ProcessHandle candidate : three.processes()) {
            each.add(Memory.proportional(List.of(candidate)) / 1e6);
        }
        figures.add(figure(entrant, StoresMeasure.CANDIDATE_MEMORY, each));
        double ofServer = Memory.proportional(server.processes()) / 1e6;
        if (!entrant.server().isEmbedded()) {
            figures.add(figure(entrant, StoresMeasure.SERVER_MEMORY, List.of(ofServer)));
        }
        double inAll = ofServer + each.stream().mapToDouble(Double::doubleValue).sum();
        figures.add(figure(entrant, StoresMeasure.ALL_MEMORY, List.of(inAll)));
    }

    private void changes(Entrant entrant, ThreeCandidates three, List<Figure> figures) throws Exception {
        var random = new Random(1);
        Run.print("stores: " + entrant.key() + ", handover");
        List<Double> handOvers = new ArrayList<>();
        for (int i = 0; i < WARM_UP + rounds.handOvers(); i++) {
            // Rounds have random lengths, so that the handovers do not follow the rhythm of a system's polls.
            Run.pause(Duration.ofMillis(200 + random.nextInt(200)));
            double millis = three.handOver();
            if (i >= WARM_UP) {
                handOvers.add(millis);
            }
        }
        figures.add(figure(entrant, StoresMeasure.HAND_OVER, handOvers));
        Run.print("stores: " + entrant.key() + ", handover while a follower is stopped");
        List<Double> besideStopped = new ArrayList<>();
        for (int i = 0; i < rounds.stops(); i++) {
            Run.pause(RECOVERY.plusMillis(random.nextInt(200)));
            besideStopped.add(three.handOverBesideStopped(i % 2));
        }
        figures.add(figure(entrant, StoresMeasure.HAND_OVER_BESIDE_STOPPED, besideStopped));
        Run.print("stores: " + entrant.key() + ", crash");
        List<Double> crashes = new ArrayList<>();
        for (int i = 0; i < rounds.crashes(); i++) {
            // The crash occurs at a random time after a renewal.
            Run.pause(RECOVERY.plusMillis(random.nextInt((int) Run.TTL.toMillis())));
            crashes.add(three.crash());
        }
        figures.add(figure(entrant, StoresMeasure.CRASH, crashes));
    }

    /**
     * Returns the number of TCP segments. If this machine cannot count segments, the method adds a remark and returns
     * empty.
     */
    private static Optional<Traffic> traffic(Run run, Server server, ThreeCandidates three)
            throws IOException, InterruptedException {
        Set<Long> pids = new HashSet<>();
        Stream.concat(server.processes().stream(), three.processes().stream())
                .map(ProcessHandle::pid)
                .forEach(pids::add);
        try {
            return Optional.of(Traffic.between(pids));
        } catch (IOException e) {
            run.remark("TCP segments were not counted: " + e.getMessage() + "; apt-get install iproute2");
            return Optional.empty();
        }
    }

    private Figure figure(Entrant entrant, StoresMeasure measure, List<Double> values) {
        return new Figure(name(), measure.label(), measure.unit(), entrant, new Sample(values));
    }

    /**
     * The number of rounds or the duration of each measurement.
     *
     * @param starts the number of first starts; each start has empty directories
     * @param handOvers the number of handovers after the warm-up
     * @param stops the number of handovers while a follower is frozen
     * @param crashes the number of crashes of the leader
     * @param idle the time for which requests are counted
     */
    record Rounds(int starts, int handOvers, int stops, int crashes, Duration idle) {

        /** The rounds of a real run. The measurements of all entrants together take less than a quarter of an hour. */
        static final Rounds FULL = new Rounds(5, 20, 6, 6, Duration.ofSeconds(20));
    }
}
