package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the time until ten thousand clients have entered one channel concurrently.
 *
 * <p>A hundred of the clients enter before the measurement, and receive an event for each client that enters. The other
 * clients receive no events. For the hub, a second measurement follows in which all ten thousand clients listen. This
 * measurement results in a hundred million events.
 */
final class JoinPart implements HubPart {

    private static final int MEMBERS = Integer.getInteger("bench.members", 10_000);
    private static final int WATCHERS = 100;

    @Override
    public String name() {
        return "join";
    }

    @Override
    public List<Measured> run(Peer peer, Workload workload) throws Exception {
        var seconds = new ArrayList<Double>();
        var ofAll = new ArrayList<Double>();
        var framesEach = new ArrayList<Double>();
        for (int round = 0; round < workload.rounds(); round++) {
            try (var server = workload.start(peer);
                    var crowd = new Crowd(server.port(), peer.dialect())) {
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
            if (peer.dialect().hasLaterEntry()) {
                all(peer, workload, ofAll, framesEach);
            }
        }
        String many = String.format(java.util.Locale.ROOT, "%,d", MEMBERS);
        var measured = new ArrayList<Measured>();
        measured.add(new Measured(
                many + " enter one channel that " + WATCHERS + " clients observe",
                "s",
                peer.label(),
                new Sample(seconds)));
        if (!ofAll.isEmpty()) {
            measured.add(new Measured(
                    many + " enter one channel, until each has received the enter event of every other",
                    "s",
                    peer.label(),
                    new Sample(ofAll)));
            measured.add(new Measured("the same: frames to each member", "", peer.label(), new Sample(framesEach)));
        }
        return measured;
    }

    /**
     * Measures the time in which all clients enter while all clients receive the events.
     *
     * <p>All clients are attached before the first client enters. A client receives the event of its own entry twice:
     * at once, and later together with other events. So the count can end before the last ten-thousandth of the events
     * has arrived.
     */
    private static void all(Peer peer, Workload workload, List<Double> seconds, List<Double> framesEach)
            throws Exception {
        try (var server = workload.start(peer);
                var crowd = new Crowd(server.port(), peer.dialect())) {
            var clients = new ArrayList<Client>();
            for (int i = 0; i < MEMBERS; i++) {
                clients.add(crowd.enter(Dialect.Part.LISTENER, "m" + i, "storm"));
            }
            crowd.awaitReady();
            crowd.countEntries((long) MEMBERS * MEMBERS);
            long began = System.nanoTime();
            for (Client client : clients) {
                client.print(peer.dialect().laterEntry("storm", client.id));
            }
            crowd.awaitEntries();
            seconds.add((System.nanoTime() - began) / 1e9);
            framesEach.add((double) crowd.entryFrames() / MEMBERS);
        }
    }
}
