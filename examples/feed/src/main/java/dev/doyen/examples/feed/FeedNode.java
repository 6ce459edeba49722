package dev.doyen.examples.feed;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Receives, together with other processes, a feed that allows only one connection.
 *
 * <p>Start the program on several machines. The leader holds the connection. Every process writes each line once to
 * its own file.
 */
public final class FeedNode {

    private static final String USAGE =
            "usage: java -jar feed.jar --feed host:port --store URL" + " --listen host:port --log FILE [--ttl PT10S]";
    private static final List<String> NEEDED = List.of("--feed", "--store", "--listen", "--log");

    private FeedNode() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = options(arguments);
        if (!options.keySet().containsAll(NEEDED)) {
            System.err.println(USAGE);
            System.exit(2);
        }
        String id = options.getOrDefault("--listen", "");
        InetSocketAddress feed = Wire.address(options.getOrDefault("--feed", ""));
        Duration ttl = Duration.parse(options.getOrDefault("--ttl", "PT10S"));
        try (Delivery delivery = Delivery.open(Path.of(options.getOrDefault("--log", "")));
                Relay relay = new Relay(Wire.address(id));
                Election election = Election.lease("feed")
                        .store(options.getOrDefault("--store", ""))
                        .ttl(ttl)
                        .open();
                LeaseCandidate me = election.join(id)) {
            receive(me, delivery);
            boolean campaigns = true;
            while (campaigns) {
                try {
                    // The method returns false after the candidate was closed, for example because of SIGTERM.
                    campaigns = me.whileLeading(leadership -> hold(leadership, feed, relay, delivery));
                } catch (IOException e) {
                    System.err.println(id + " holds the feed no more: " + e);
                }
            }
        }
    }

    private static void hold(LeaseLeadership leadership, InetSocketAddress feed, Relay relay, Delivery delivery)
            throws IOException, InterruptedException {
        System.out.println("holds in term " + leadership.term());
        var holding = new Holding(leadership, feed, delivery.next());
        relay.open(holding);
        try {
            holding.run();
        } finally {
            relay.hangUp();
        }
    }

    private static void receive(LeaseCandidate me, Delivery delivery) {
        var receiver = new Receiver(delivery);
        me.listen(receiver);
        var thread = new Thread(
                () -> {
                    try {
                        receiver.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "receiver");
        thread.setDaemon(true);
        thread.start();
    }

    /** Parses the options. Every option has a value. */
    private static Map<String, String> options(String[] arguments) {
        Map<String, String> options = new HashMap<>();
        for (int at = 0; at + 1 < arguments.length; at += 2) {
            options.put(arguments[at], arguments[at + 1]);
        }
        return options;
    }
}
