package dev.doyen.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.UUID;

/**
 * A network namespace with two links to the main namespace of this machine.
 *
 * <p>One link leads to the store, and a test can cut it. The other link leads to the {@link Ledger} and is never cut.
 * So the ledger receives a worker's requests even while the worker cannot reach the store. The class needs root and
 * the program {@code ip}.
 */
public final class Namespace implements AutoCloseable {

    private final String name;
    private final String storeLine;
    private final String ledgerLine;
    private final String subnet;

    private Namespace(String mark, int number) {
        this.name = "doyen" + mark;
        this.storeLine = "ds" + mark;
        this.ledgerLine = "dl" + mark;
        this.subnet = "10.213." + number + ".";
    }

    /** Returns true if this user may create network namespaces on this machine. */
    public static boolean isPossible() throws InterruptedException {
        String probe = "doyen-probe-" + UUID.randomUUID().toString().substring(0, 6);
        if (!Commands.succeeds("ip", "netns", "add", probe)) {
            return false;
        }
        return Commands.succeeds("ip", "netns", "delete", probe);
    }

    static Namespace open() throws IOException, InterruptedException {
        // The name is short, because an interface name has at most 15 characters. The name is random, because a deleted
        // name stays in use for a moment.
        String mark = UUID.randomUUID().toString().substring(0, 6);
        var namespace = new Namespace(mark, 1 + Integer.parseInt(mark.substring(0, 2), 16) % 250);
        Commands.run("ip", "netns", "add", namespace.name);
        namespace.line(namespace.storeLine, 0);
        namespace.line(namespace.ledgerLine, 4);
        return namespace;
    }

    /** Returns the command prefix that runs a command in this namespace. */
    List<String> prefix() {
        return List.of("ip", "netns", "exec", name);
    }

    /** Returns this machine's address on the link that can be cut. */
    InetAddress storeAddress() throws IOException {
        return InetAddress.getByName(subnet + 1);
    }

    InetAddress ledgerAddress() throws IOException {
        return InetAddress.getByName(subnet + 5);
    }

    /** Returns the namespace's address on the link that is never cut. */
    InetAddress insideAddress() throws IOException {
        return InetAddress.getByName(subnet + 6);
    }

    /** Drops all packets on the link to the store. Neither side of a connection is notified. */
    void cut() throws IOException, InterruptedException {
        Commands.run("ip", "link", "set", storeLine, "down");
    }

    void heal() throws IOException, InterruptedException {
        Commands.run("ip", "link", "set", storeLine, "up");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        Commands.run("ip", "link", "delete", storeLine);
        Commands.run("ip", "link", "delete", ledgerLine);
        Commands.run("ip", "netns", "delete", name);
    }

    private void line(String outside, int first) throws IOException, InterruptedException {
        String inside = outside + "n";
        Commands.run("ip", "link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name);
        Commands.run("ip", "addr", "add", subnet + (first + 1) + "/30", "dev", outside);
        Commands.run("ip", "link", "set", outside, "up");
        Commands.run("ip", "-n", name, "addr", "add", subnet + (first + 2) + "/30", "dev", inside);
        Commands.run("ip", "-n", name, "link", "set", inside, "up");
        Commands.run("ip", "-n", name, "link", "set", "lo", "up");
    }
}
