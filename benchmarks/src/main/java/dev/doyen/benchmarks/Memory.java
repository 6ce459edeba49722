package dev.doyen.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** The memory of processes, as Linux reports it, in bytes. */
public final class Memory {

    private Memory() {}

    /** All pages that the process has in memory, also those that it shares with others (RSS). */
    public static long resident(ProcessHandle process) throws IOException {
        return bytes(Files.readAllLines(file(process, "status")), "VmRSS:");
    }

    /**
     * The pages of the processes, of each shared page the part that falls to them (PSS). So pages that they share count once.
     * A process that has ended counts nothing.
     */
    static long proportional(Collection<ProcessHandle> processes) throws IOException {
        long sum = 0;
        for (ProcessHandle each : processes) {
            try {
                sum += bytes(Files.readAllLines(file(each, "smaps_rollup")), "Pss:");
            } catch (NoSuchFileException e) {
                // A worker of PostgreSQL comes and goes.
            }
        }
        return sum;
    }

    /** The value of the line that begins with this name. Linux writes kB for 1,024 bytes. */
    static long bytes(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Linux does not report " + name));
    }

    private static Path file(ProcessHandle process, String name) {
        return Path.of("/proc", Long.toString(process.pid()), name);
    }
}
