package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from a leader's end until the next leader is known.
 *
 * <p>The measurement ends when a listener receives the name of the next leader. The old leader either closes normally,
 * or its connection is cut. A new candidate replaces each former leader before the next takeover.
 */
final class TakeoverPart implements HubPart {

    private static final int CANDIDATES = 20;

    /** The number of takeovers before the measurement. In these, each leader closes normally. */
    private static final int WARM_UP = 300;

    @Override
    public String name() {
        return "takeover";
    }

    @Override
    public List<Measured> run(Peer peer, Workload workload) throws Exception {
        return List.of(
                new Measured("next leader after a farewell", "ms", peer.label(), measure(peer, workload, true)),
                new Measured("next leader after a cut line", "ms", peer.label(), measure(peer, workload, false)));
    }

    private static Sample measure(Peer peer, Workload workload, boolean politely) throws Exception {
        var millis = new ArrayList<Double>();
        try (var server = workload.start(peer);
                var crowd = new Crowd(server.port(), peer.dialect())) {
            BlockingQueue<String> leaders = new ArrayBlockingQueue<>(1_000);
            Map<String, Client> candidates = new HashMap<>();
            Client witness = crowd.enter(Dialect.Part.LISTENER, "witness", "office");
            crowd.onLeader((client, id) -> {
                if (client == witness) {
                    leaders.add(id);
                }
            });
            for (int i = 0; i < CANDIDATES; i++) {
                Client candidate = crowd.enter(Dialect.Part.CANDIDATE, "c" + i, "office");
                candidates.put(candidate.id, candidate);
            }
            crowd.awaitReady();
            // No leader has left yet, so the first candidate must claim leadership without an event.
            Objects.requireNonNull(candidates.get("c0")).print(peer.dialect().firstClaim("office"));
            String leader = next(leaders, "");
            int rounds = WARM_UP + workload.rounds() * 2;
            for (int round = 0; round < rounds; round++) {
                boolean measured = round >= WARM_UP;
                Client going = Objects.requireNonNull(candidates.remove(leader), leader);
                crowd.expectEnd();
                long began = System.nanoTime();
                if (politely || !measured) {
                    peer.dialect().farewell().forEach(going::print);
                } else {
                    going.kill();
                }
                leader = next(leaders, leader);
                if (measured) {
                    millis.add((System.nanoTime() - began) / 1e6);
                }
                Client next = crowd.enter(Dialect.Part.CANDIDATE, "c" + (CANDIDATES + round), "office");
                candidates.put(next.id, next);
                crowd.awaitReady();
            }
        }
        return new Sample(millis);
    }

    private static String next(BlockingQueue<String> leaders, String former) throws InterruptedException {
        String leader = former;
        while (leader.equals(former)) {
            String reported = leaders.poll(60, TimeUnit.SECONDS);
            if (reported == null) {
                throw new IllegalStateException("no client has taken over from \"" + former + "\" within a minute");
            }
            leader = reported;
        }
        return leader;
    }
}
