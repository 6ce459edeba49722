package dev.doyen.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** Reads the memory of processes from Linux, in bytes. */
public final class Memory {

    private Memory() {}

    /**
     * Returns the resident memory of the process (RSS), in bytes.
     *
     * <p>The RSS includes pages that the process shares with other processes.
     *
     * @throws IOException if the process has ended
     */
    public static long resident(ProcessHandle process) throws IOException {
        return bytes(Files.readAllLines(file(process, "status")), "VmRSS:");
    }

    /**
     * Returns the proportional memory of the processes (PSS), in bytes.
     *
     * <p>The size of a shared page is divided among the processes that use the page. So a page that only these
     * processes share is counted once. A process that has ended is counted as 0.
     */
    static long proportional(Collection<ProcessHandle> processes) throws IOException {
        long sum = 0;
        for (ProcessHandle each : processes) {
            try {
                sum += bytes(Files.readAllLines(file(each, "smaps_rollup")), "Pss:");
            } catch (IOException e) {
                // PostgreSQL's workers, for example, end at any time.
                if (!hasEnded(e)) {
                    throw e;
                }
            }
        }
        return sum;
    }

    /**
     * Returns true if the fault reports that the process has ended. The file of an ended process does not exist, or
     * Linux rejects a read of the file.
     */
    private static boolean hasEnded(IOException fault) {
        return fault instanceof NoSuchFileException
                || String.valueOf(fault.getMessage()).endsWith("No such process");
    }

    /** Returns the value of the line with this name. Linux writes kB for 1,024 bytes. */
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
