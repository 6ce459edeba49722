package dev.doyen.drills;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A switch with lines to a few network namespaces, itself in another: nothing of it is seen on this machine. A line that is
 * pulled out of the switch carries nothing from then on, and neither end is told. Plugged into another switch, it leads
 * to those there. A place can also lose frames in one direction only, or get a slow line. Needs root and {@code ip}.
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

    /** What to put before a command to run it in this place. */
    public List<String> prefix(int place) {
        return List.of("ip", "netns", "exec", places.get(place));
    }

    public String address(int place) {
        return SUBNET + (place + 1);
    }

    /** From now on nothing goes to this place or comes from it. */
    public void cut(int place) throws IOException, InterruptedException {
        inCenter("link", "set", line(place), "nomaster");
    }

    public void heal(int place) throws IOException, InterruptedException {
        plug(place, 0);
    }

    /** From now on nothing arrives at this place, but what it sends arrives. */
    public void loseIncoming(int place) throws IOException, InterruptedException {
        for (int other = 0; other < places.size(); other++) {
            if (other != place) {
                lose(other, place);
            }
        }
    }

    /** From now on nothing arrives that this place sends, but it receives. */
    public void loseOutgoing(int place) throws IOException, InterruptedException {
        for (int other = 0; other < places.size(); other++) {
            if (other != place) {
                lose(place, other);
            }
        }
    }

    /** Ends {@link #loseIncoming} and {@link #loseOutgoing}. */
    public void loseNothing(int place) throws IOException, InterruptedException {
        for (int other = 0; other < places.size(); other++) {
            forget(other, place);
            forget(place, other);
        }
    }

    /** Whether this machine can make a line slow. */
    public boolean canSlowDown() throws IOException, InterruptedException {
        try {
            slowDown(0);
            speedUp(0);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** From now on this place sends and receives at {@value #SLOW_RATE}. Frames that wait for too long are lost. */
    public void slowDown(int place) throws IOException, InterruptedException {
        slow(places.get(place), "line");
        slow(center, line(place));
    }

    /** Ends {@link #slowDown}. */
    public void speedUp(int place) throws IOException, InterruptedException {
        Commands.run("tc", "-n", places.get(place), "qdisc", "delete", "dev", "line", "root");
        Commands.run("tc", "-n", center, "qdisc", "delete", "dev", line(place), "root");
    }

    /** From now on only those of one group hear of each other; until {@link #unite}. */
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
        // The lines go with the namespaces.
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

    /** Frames of one place to another go to an Ethernet address that no device has. */
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

    /** The address is asked for again. */
    private void forget(int from, int to) throws InterruptedException {
        // It fails if the address was not known.
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
