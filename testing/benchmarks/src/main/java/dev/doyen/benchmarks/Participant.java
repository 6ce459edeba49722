package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Contender;
import dev.doyen.benchmarks.contender.Entrant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that takes part in elections and reports on standard output.
 *
 * <p>The process prints {@code JOINED millis} when it is a candidate in all its elections. The process prints
 * {@code LEADS millis nanos} when it has been elected in each of its elections, and again each time it is elected
 * later. The milliseconds are the time since the start of the process or the last {@code JOIN}. The nanoseconds are
 * {@link System#nanoTime}, which is the same clock in all processes of a Linux machine.
 *
 * <p>The process reads commands on standard input. After {@code MEASURE}, the process prints
 * {@code MEASURED heap rss threads leading}. After {@code LEAVE}, the process leaves the elections and prints
 * {@code LEFT nanos}, the time at which it began to leave. After {@code JOIN}, the process is a candidate again. The
 * process ends when standard input ends. So the process also ends when its parent process ends.
 */
final class Participant {

    private final Contender contender;
    private final String prefix;
    private final int count;
    private final String id;
    private final List<Contender.Participant> participants = new ArrayList<>();

    private Participant(Contender contender, String prefix, int count, String id) {
        this.contender = contender;
        this.prefix = prefix;
        this.count = count;
        this.id = id;
    }

    /**
     * Runs the participant.
     *
     * @param args the entrant, the server's URL, the ttl in ms, the prefix of the elections' names, the number of
     *     elections, and the candidate's id
     */
    public static void main(String[] args) throws IOException {
        long began = System.nanoTime();
        Contender contender = Entrant.valueOf(args[0]).open(args[1], Duration.ofMillis(Long.parseLong(args[2])));
        var participant = new Participant(contender, args[3], Integer.parseInt(args[4]), args[5]);
        participant.join(began);
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            participant.obey(command);
        }
        Runtime.getRuntime().halt(0);
    }

    private void obey(String command) throws IOException {
        switch (command) {
            case "MEASURE" -> measure();
            case "LEAVE" -> leave();
            case "JOIN" -> join(System.nanoTime());
            default -> throw new IllegalArgumentException("unknown command " + command);
        }
    }

    private void join(long began) {
        var left = new AtomicInteger(count);
        for (int i = 0; i < count; i++) {
            var elections = new AtomicInteger();
            participants.add(contender.join(prefix + "-" + i, id, () -> {
                long now = System.nanoTime();
                int missing = elections.getAndIncrement() == 0 ? left.decrementAndGet() : left.get();
                if (missing == 0) {
                    print("LEADS " + (now - began) / 1e6 + " " + now);
                }
            }));
        }
        print("JOINED " + (System.nanoTime() - began) / 1e6);
    }

    private void leave() {
        long began = System.nanoTime();
        participants.forEach(Contender.Participant::close);
        participants.clear();
        print("LEFT " + began);
    }

    private void measure() throws IOException {
        long leading =
                participants.stream().filter(Contender.Participant::isLeader).count();
        print("MEASURED " + heapAfterCollection() + " " + Memory.resident(ProcessHandle.current()) + " "
                + ManagementFactory.getThreadMXBean().getThreadCount() + " " + leading);
    }

    private static long heapAfterCollection() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static synchronized void print(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
