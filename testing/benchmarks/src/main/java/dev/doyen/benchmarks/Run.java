package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import dev.doyen.benchmarks.server.Server;
import dev.doyen.benchmarks.server.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The settings and helpers that all parts of one run share. */
final class Run {

    /**
     * The ttl of every system, except in {@link IsLeader} and in parts with a thousand elections or more. ZooKeeper and
     * etcd accept this ttl, and the ttl is long enough for a busy machine.
     */
    static final Duration TTL = Duration.ofSeconds(3);

    /** The ttl in parts with a thousand elections or more. It is the default ttl of most systems. */
    static final Duration TTL_OF_MANY = Duration.ofSeconds(10);

    private final Servers servers;
    private final List<String> remarks = new CopyOnWriteArrayList<>();
    private final Set<String> versions = new ConcurrentSkipListSet<>();
    private final AtomicInteger elections = new AtomicInteger();

    private volatile boolean hasFailed;

    Run(Servers servers) {
        this.servers = servers;
    }

    /** Returns the entrants whose server is a separate process and runs on this machine. */
    List<Entrant> entrants() {
        return Stream.of(Entrant.values())
                .filter(each -> !each.server().isEmbedded())
                .filter(each -> servers.get(each.server()).isPresent())
                .toList();
    }

    Server server(Entrant entrant) {
        Server server = servers.get(entrant.server()).orElseThrow();
        uses(server);
        return server;
    }

    /** Adds the version of this server to the report. */
    void uses(Server server) {
        versions.add(server.version());
    }

    /** Returns the versions of all servers that were used so far. */
    String versions() {
        return String.join(", ", versions);
    }

    /** Returns an election name that no part has used yet. */
    String freshName(Entrant entrant) {
        return entrant.key() + "-" + elections.incrementAndGet();
    }

    /** Adds a remark to the report. */
    void remark(String sentence) {
        if (!remarks.contains(sentence)) {
            print(sentence);
            remarks.add(sentence);
        }
    }

    /** Reports a failed measurement. The run continues, because the other results are still useful. */
    void failed(String what, Exception reason) {
        reason.printStackTrace();
        hasFailed = true;
        remark(what + " failed: " + reason);
    }

    boolean hasFailed() {
        return hasFailed;
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }

    static void print(String what) {
        System.err.println("bench: " + what);
    }

    /** Waits for this time while the systems run. */
    static void pause(Duration length) throws InterruptedException {
        Thread.sleep(length.toMillis());
    }
}
