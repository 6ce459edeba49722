package dev.doyen.drills;

import dev.doyen.drills.RingSayings.Standing;
import dev.doyen.ring.RingTiming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Voters v0, v1 and so on, each a process with a file of promises of its own; what they say, and since when. */
final class VoterRing implements AutoCloseable {

    /** Where the processes run. */
    interface Ground {
        /** One for each place: the address and port of its member. */
        List<String> addresses();

        /** What to put before a command to run it in this place. */
        List<String> prefix(int place);

        String secret();
    }

    final RingSayings sayings = new RingSayings();
    private final Ground ground;
    private final Path folder;
    private final RingTiming timing;
    private final Set<String> ids = new TreeSet<>();
    private final Map<String, RingProcess> running = new TreeMap<>();

    /** @param folder for the files of promises */
    VoterRing(Ground ground, Path folder, RingTiming timing) {
        this.timing = timing;
        this.ground = ground;
        this.folder = folder;
        IntStream.range(0, ground.addresses().size()).forEach(place -> ids.add("v" + place));
    }

    Set<String> ids() {
        return ids;
    }

    Set<String> idsBut(String one) {
        var others = new TreeSet<>(ids);
        others.remove(one);
        return others;
    }

    int quorum() {
        return ids.size() / 2 + 1;
    }

    static int placeOf(String id) {
        return Integer.parseInt(id.substring(1));
    }

    /** All at once, but for the first, which the others find: if nobody is there yet, each would begin a cluster of its own. */
    void startAll() throws IOException, InterruptedException {
        String first = ids.iterator().next();
        start(first);
        sayings.awaitView(Set.of(first));
        for (String id : idsBut(first)) {
            start(id);
        }
    }

    void start(String id) throws IOException {
        sayings.forget(id);
        running.put(id, process(id, ground.addresses().get(placeOf(id))));
    }

    /** Another process of this id and file, at this address. */
    RingProcess startTwin(String id, String address) throws IOException {
        return process(id, address);
    }

    private RingProcess process(String id, String address) throws IOException {
        List<String> voting = List.of(
                String.join(",", ids),
                promises(id).toString(),
                Long.toString(timing.follow().toMillis()));
        return RingProcess.start(
                ground.prefix(placeOf(id)), id, address, ground.addresses(), ground.secret(), voting, sayings);
    }

    Path promises(String id) {
        return folder.resolve(id);
    }

    /** SIGKILL, and with it the file is free. */
    void kill(String id) throws InterruptedException {
        taken(id).close();
    }

    void killAll() throws InterruptedException {
        for (String id : List.copyOf(running.keySet())) {
            running.get(id).kill();
        }
        for (String id : List.copyOf(running.keySet())) {
            kill(id);
        }
    }

    /** It loses what it promised. */
    void losePromises(String id) throws IOException {
        Files.delete(promises(id));
    }

    /** It closes its election, and ends. */
    void leave(String id) throws IOException, InterruptedException {
        try (RingProcess leaver = taken(id)) {
            leaver.leave();
            leaver.awaitEnd();
        }
    }

    RingProcess process(String id) {
        return Optional.ofNullable(running.get(id)).orElseThrow();
    }

    private RingProcess taken(String id) {
        return Optional.ofNullable(running.remove(id)).orElseThrow();
    }

    /** Waits until all are in one view and name one leader, which leads; returns who. */
    String agreed() throws InterruptedException {
        return agreed(ids, "");
    }

    /** The same, and until all may vote: who has begun waits for a while. */
    String settled() throws InterruptedException {
        String leader = agreed();
        long voting = sayings.begun().stream()
                .mapToLong(each -> each.nanos() + timing.hold().toNanos())
                .max()
                .orElseThrow();
        sayings.awaitClaim(leader, voting);
        return leader;
    }

    /** Waits until these are in a view of their own and name one leader that is not this, and leads; returns who. */
    String agreed(Set<String> members, String not) throws InterruptedException {
        Map<String, Standing> all = sayings.awaitAgreement(members, leader -> !leader.equals(not));
        String leader = all.values().iterator().next().leader().leader();
        sayings.awaitClaim(leader, System.nanoTime());
        return leader;
    }

    /** Names that are in the places of this group. */
    static Set<String> in(List<Integer> places) {
        var names = new TreeSet<String>();
        places.forEach(place -> names.add("v" + place));
        return names;
    }

    /** When so many had begun last, in nanoseconds, of those who did after this. */
    long begunBy(int count, long afterNanos) {
        var begun = new ArrayList<Long>();
        for (RingSayings.Begun each : sayings.begun()) {
            if (each.nanos() > afterNanos) {
                begun.add(each.nanos());
            }
        }
        return begun.stream().sorted().toList().get(count - 1);
    }

    @Override
    public void close() throws InterruptedException {
        killAll();
    }
}
