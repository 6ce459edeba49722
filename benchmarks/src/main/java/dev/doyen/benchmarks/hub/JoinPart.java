package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * Ten thousand enter one channel at once. A hundred of them want to know who comes; the others only work, for if all
 * did, a hundred million events would have to be sent, whoever sends them.
 */
final class JoinPart implements HubPart {

    private static final int MEMBERS = Integer.getInteger("bench.members", 10_000);
    private static final int WATCHERS = 100;

    @Override
    public String name() {
        return "join";
    }

    @Override
    public List<Measured> run(Peer peer, Scene scene) throws Exception {
        var seconds = new ArrayList<Double>();
        for (int round = 0; round < scene.rounds(); round++) {
            try (var server = scene.start(peer);
                    var crowd = new Crowd(server, peer.dialect())) {
                for (int i = 0; i < WATCHERS; i++) {
                    crowd.enter(Dialect.Part.MEMBER, "w" + i, "storm");
                }
                crowd.awaitReady();
                long began = System.nanoTime();
                for (int i = WATCHERS; i < MEMBERS; i++) {
                    crowd.enter(Dialect.Part.WORKER, "m" + i, "storm");
                }
                crowd.awaitReady();
                seconds.add((System.nanoTime() - began) / 1e9);
            }
        }
        String many = String.format(java.util.Locale.ROOT, "%,d", MEMBERS);
        return List.of(new Measured(
                many + " enter one channel that " + WATCHERS + " watch", "s", peer.label(), new Sample(seconds)));
    }
}
