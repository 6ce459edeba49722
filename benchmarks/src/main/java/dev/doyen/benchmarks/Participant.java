package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Contender;
import dev.doyen.benchmarks.contender.Entrant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that takes part in elections, and prints its progress.
 *
 * <p>It prints {@code JOINED millis} when it is a candidate in all of them, and {@code LEADS millis} when it leads all.
 * It answers each line on standard input with {@code MEASURED heap rss threads leading}. It ends when standard input
 * ends, so also when the process that started it dies.
 */
final class Participant {

    private Participant() {}

    /**
     * Runs the participant.
     *
     * @param args the entrant, the server's URL, the ttl in ms, the prefix of the elections' names, their number, and
     *     the candidate's id
     */
    public static void main(String[] args) throws IOException {
        Entrant entrant = Entrant.valueOf(args[0]);
        String prefix = args[3];
        int count = Integer.parseInt(args[4]);
        var left = new AtomicInteger(count);
        long began = System.nanoTime();
        Contender contender = entrant.open(args[1], Duration.ofMillis(Long.parseLong(args[2])));
        List<Contender.Seat> seats = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            var first = new AtomicInteger();
            seats.add(contender.join(prefix + "-" + i, args[5], () -> {
                if (first.getAndIncrement() == 0 && left.decrementAndGet() == 0) {
                    say("LEADS " + (System.nanoTime() - began) / 1e6);
                }
            }));
        }
        say("JOINED " + (System.nanoTime() - began) / 1e6);
        var asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (asked.readLine() != null) {
            long leading = seats.stream().filter(Contender.Seat::isLeader).count();
            say("MEASURED " + heapAfterCollection() + " " + residentBytes() + " "
                    + ManagementFactory.getThreadMXBean().getThreadCount() + " " + leading);
        }
        Runtime.getRuntime().halt(0);
    }

    private static long heapAfterCollection() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long residentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElse(0);
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
