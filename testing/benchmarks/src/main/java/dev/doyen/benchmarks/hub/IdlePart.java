package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Measures idle connections that are attached and present.
 *
 * <p>The part measures the memory for each connection, the server's CPU time for each entry and while the connections
 * are idle, and the time until all members have entered.
 */
final class IdlePart implements HubPart {

    /**
     * The number of connections.
     *
     * <p>Each connection has one socket in this process and one in the server. So each of the two processes needs a
     * limit of 20,000 open files.
     */
    private static final int CONNECTIONS = Integer.getInteger("bench.connections", 19_000);

    /**
     * The wait before the memory is read, in seconds.
     *
     * <p>In this time, every server sends its pings, and a JVM collects the garbage of the handshakes.
     */
    static final int SETTLING_SECONDS = 40;

    /** The time over which the CPU time of the idle server is measured, in seconds. */
    private static final int IDLE_SECONDS = 60;

    private static final int MEMBERS_PER_CHANNEL = 100;

    /** Returns the channel of the member with this number. */
    static String room(int number) {
        return "room-" + number / MEMBERS_PER_CHANNEL;
    }

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public List<Measured> run(Peer peer, Workload workload) throws Exception {
        try (var server = workload.start(peer);
                var crowd = new Crowd(server.port(), peer.dialect())) {
            // One client connects first. So the code and the buffers that all clients share exist before the
            // measurement.
            crowd.enter(Dialect.Part.MEMBER, "first", "first");
            crowd.awaitReady();
            long before = server.residentBytes();
            // The first half of the members warms up the server. The CPU time of an entry is measured only while the
            // second half enters.
            double seconds = enter(crowd, 0, CONNECTIONS / 2);
            server.awaitQuiet();
            double warm = server.processorSeconds();
            seconds += enter(crowd, CONNECTIONS / 2, CONNECTIONS);
            double entry = (server.processorSeconds() - warm) * 1e6 / (CONNECTIONS - CONNECTIONS / 2);
            TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
            if (crowd.ended() > 0) {
                throw new IllegalStateException(crowd.ended() + " clients were closed by " + peer.label());
            }
            double each = (server.residentBytes() - before) / 1024.0 / CONNECTIONS;
            double processor = server.processorSeconds();
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            double idle = 100 * (server.processorSeconds() - processor) / IDLE_SECONDS;
            String many = String.format(java.util.Locale.ROOT, "%,d", CONNECTIONS);
            return List.of(
                    new Measured("memory for each of " + many + " members", "KiB", peer.label(), Sample.of(each)),
                    new Measured("connections per GiB of memory", "", peer.label(), Sample.of(1024 * 1024 / each)),
                    new Measured("CPU of " + many + " idle members", "% of a core", peer.label(), Sample.of(idle)),
                    new Measured("CPU time for each member that enters", "µs", peer.label(), Sample.of(entry)),
                    new Measured(many + " members enter", "s", peer.label(), Sample.of(seconds)));
        }
    }

    /** Lets members enter, and returns the number of seconds until all of them are ready. */
    private static double enter(Crowd crowd, int from, int to) throws InterruptedException, TimeoutException {
        long began = System.nanoTime();
        for (int i = from; i < to; i++) {
            crowd.enter(Dialect.Part.MEMBER, "c" + i, room(i));
        }
        crowd.awaitReady();
        return (System.nanoTime() - began) / 1e9;
    }
}
