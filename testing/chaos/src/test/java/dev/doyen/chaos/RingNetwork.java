package dev.doyen.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A simulated network: a switch with links to several network namespaces, which are called places.
 *
 * <p>The switch has its own namespace, so the network of this machine does not change. A test can unplug a place, or
 * plug groups of places into separate switches. The processes are not notified of such a change. A place can also lose
 * packets in one direction only, or have a slow link. The class needs root and the program {@code ip}.
 */
public final class RingNetwork implements AutoCloseable {

    private static final String SWITCH = "switch";
    private static final String SUBNET = "10.213.0.";

    /** An Ethernet address that no device has. */
    private static final String NOBODY = "02:00:00:00:00:fe";

    private static final String SLOW_RATE = "1mbit";

    private final String center;
    private final List<String> places = new ArrayList<>();
    private int switches;

    private RingNetwork(String mark) {
        this.center = "doyen" + mark;
    }

    public static RingNetwork open(int places) throws IOException, InterruptedException {
        var network = new RingNetwork(UUID.randomUUID().toString().substring(0, 6));
        try {
            Commands.run("ip", "netns", "add", network.center);
            network.addSwitch();
            for (int place = 0; place < places; place++) {
                network.add(network.center + "-" + place, place);
            }
            return network;
        } catch (IOException | InterruptedException e) {
            network.close();
            throw e;
        }
    }

    /** Returns the command prefix that runs a command at this place. */
    public List<String> prefix(int place) {
        return List.of("ip", "netns", "exec", places.get(place));
    }

    public String address(int place) {
        return SUBNET + (place + 1);
    }

    /** Unplugs this place. After that, the place neither sends nor receives frames. */
    public void cut(int place) throws IOException, InterruptedException {
        inCenter("link", "set", line(place), "nomaster");
    }

    public void heal(int place) throws IOException, InterruptedException {
        plug(place, 0);
    }

    /** Loses the packets from all other places to this place. The packets from this place still arrive. */
    public void loseIncoming(int place) throws IOException, InterruptedException {
        for (int other = 0; other < places.size(); other++) {
            if (other != place) {
                lose(other, place);
            }
        }
    }

    /** Loses the packets from this place to all other places. The place still receives packets. */
    public void loseOutgoing(int place) throws IOException, InterruptedException {
        for (int other = 0; other < places.size(); other++) {
            if (other != place) {
                lose(place, other);
            }
        }
    }

    /** Ends the loss that {@link #loseIncoming} or {@link #loseOutgoing} began. */
    public void loseNothing(int place) throws IOException, InterruptedException {
        for (int other = 0; other < places.size(); other++) {
            forget(other, place);
            forget(place, other);
        }
    }

    /** Returns true if this machine can limit the rate of a link. */
    public boolean canSlowDown() throws IOException, InterruptedException {
        try {
            slowDown(0);
            speedUp(0);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Limits the link of this place to {@value #SLOW_RATE} in both directions. Frames that wait too long are lost. */
    public void slowDown(int place) throws IOException, InterruptedException {
        slow(places.get(place), "line");
        slow(center, line(place));
    }

    /** Ends {@link #slowDown}. */
    public void speedUp(int place) throws IOException, InterruptedException {
        Commands.run("tc", "-n", places.get(place), "qdisc", "delete", "dev", "line", "root");
        Commands.run("tc", "-n", center, "qdisc", "delete", "dev", line(place), "root");
    }

    /** Lets only places of the same group reach each other, until {@link #unite}. */
    public void divide(List<List<Integer>> groups) throws IOException, InterruptedException {
        for (int group = 0; group < groups.size(); group++) {
            if (group == switches) {
                addSwitch();
            }
            for (int place : groups.get(group)) {
                plug(place, group);
            }
        }
    }

    public void unite() throws IOException, InterruptedException {
        for (int place = 0; place < places.size(); place++) {
            heal(place);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        // The links disappear with their namespaces.
        for (String place : places) {
            Commands.run("ip", "netns", "delete", place);
        }
        Commands.run("ip", "netns", "delete", center);
    }

    private void add(String name, int place) throws IOException, InterruptedException {
        Commands.run("ip", "netns", "add", name);
        places.add(name);
        inCenter("link", "add", line(place), "type", "veth", "peer", "name", "line", "netns", name);
        inCenter("link", "set", line(place), "up");
        Commands.run("ip", "-n", name, "addr", "add", address(place) + "/24", "dev", "line");
        Commands.run("ip", "-n", name, "link", "set", "line", "up");
        Commands.run("ip", "-n", name, "link", "set", "lo", "up");
        heal(place);
    }

    /**
     * Loses the packets from one place to another place. The sender then uses an Ethernet address that no device has.
     */
    private void lose(int from, int to) throws IOException, InterruptedException {
        Commands.run(
                "ip",
                "-n",
                places.get(from),
                "neigh",
                "replace",
                address(to),
                "lladdr",
                NOBODY,
                "dev",
                "line",
                "nud",
                "permanent");
    }

    /** Removes the mapping to the unused Ethernet address. The place then resolves the real address again. */
    private void forget(int from, int to) throws InterruptedException {
        // The command fails if there was no mapping.
        boolean unused = Commands.succeeds("ip", "-n", places.get(from), "neigh", "delete", address(to), "dev", "line");
    }

    private static void slow(String namespace, String device) throws IOException, InterruptedException {
        Commands.run(
                "tc", "-n", namespace, "qdisc", "add", "dev", device, "root", "tbf", "rate", SLOW_RATE, "burst", "16kb",
                "latency", "300ms");
    }

    private void addSwitch() throws IOException, InterruptedException {
        String name = SWITCH + switches++;
        inCenter("link", "add", name, "type", "bridge");
        inCenter("link", "set", name, "up");
    }

    private void plug(int place, int into) throws IOException, InterruptedException {
        inCenter("link", "set", line(place), "master", SWITCH + into);
    }

    private void inCenter(String... what) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("ip", "-n", center));
        command.addAll(List.of(what));
        Commands.run(command.toArray(String[]::new));
    }

    private static String line(int place) {
        return "line" + place;
    }
}
