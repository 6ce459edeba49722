package dev.doyen.drills;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A switch with lines to a few network namespaces, itself in another: nothing of it is seen on this machine. A line that is
 * pulled out of the switch carries nothing from then on, and neither end is told. Plugged into another switch, it leads
 * to those there. Needs root and {@code ip}.
 */
final class RingNetwork implements AutoCloseable {

    private static final String SWITCH = "switch";
    private static final String SUBNET = "10.213.0.";

    private final String center;
    private final List<String> places = new ArrayList<>();
    private int switches;

    private RingNetwork(String mark) {
        this.center = "doyen" + mark;
    }

    static RingNetwork open(int places) throws IOException, InterruptedException {
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
    List<String> prefix(int place) {
        return List.of("ip", "netns", "exec", places.get(place));
    }

    String address(int place) {
        return SUBNET + (place + 1);
    }

    /** From now on nothing goes to this place or comes from it. */
    void cut(int place) throws IOException, InterruptedException {
        inCenter("link", "set", line(place), "nomaster");
    }

    void heal(int place) throws IOException, InterruptedException {
        plug(place, 0);
    }

    /** From now on only those of one group hear of each other; until {@link #unite}. */
    void divide(List<List<Integer>> groups) throws IOException, InterruptedException {
        for (int group = 0; group < groups.size(); group++) {
            if (group == switches) {
                addSwitch();
            }
            for (int place : groups.get(group)) {
                plug(place, group);
            }
        }
    }

    void unite() throws IOException, InterruptedException {
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
