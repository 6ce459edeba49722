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

/** What the parts of one run have in common. */
final class Run {

    /** The same for every system: what ZooKeeper and etcd both grant, and long enough for a loaded machine. */
    static final Duration TTL = Duration.ofSeconds(3);

    /** For a thousand elections and more: the default of most of the systems. */
    static final Duration TTL_OF_MANY = Duration.ofSeconds(10);

    private final Servers servers;
    private final List<String> remarks = new CopyOnWriteArrayList<>();
    private final Set<String> versions = new ConcurrentSkipListSet<>();
    private final AtomicInteger elections = new AtomicInteger();

    private volatile boolean hasFailed;

    Run(Servers servers) {
        this.servers = servers;
    }

    /** The entrants with a server of their own that runs here. */
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

    /** Reports the version of this server. */
    void uses(Server server) {
        versions.add(server.version());
    }

    /** The versions of all servers that were used so far. */
    String versions() {
        return String.join(", ", versions);
    }

    /** A name that no part has used yet. */
    String freshName(Entrant entrant) {
        return entrant.key() + "-" + elections.incrementAndGet();
    }

    /** Something that readers of the figures must know. */
    void remark(String sentence) {
        if (!remarks.contains(sentence)) {
            say(sentence);
            remarks.add(sentence);
        }
    }

    /** Something could not be measured. The rest of the run is worth having all the same. */
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

    static void say(String what) {
        System.err.println("bench: " + what);
    }

    /** Lets the systems go on by themselves: measuring what happens in a while needs the while. */
    static void pause(Duration length) throws InterruptedException {
        Thread.sleep(length.toMillis());
    }
}
