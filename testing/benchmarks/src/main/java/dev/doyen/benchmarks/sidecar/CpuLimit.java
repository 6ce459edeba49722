package dev.doyen.benchmarks.sidecar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A control group of Linux, which limits and counts the processor time of its processes.
 *
 * <p>Kubernetes limits a container in the same way. The class needs root. Threads: one.
 */
final class CpuLimit implements AutoCloseable {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final long PERIOD_MICROS = 100_000;

    private final boolean unified;
    private final Path cpu;
    private final Path count;

    private CpuLimit(boolean unified, Path cpu, Path count) {
        this.unified = unified;
        this.cpu = cpu;
        this.count = count;
    }

    /**
     * Creates a control group without processes.
     *
     * @param millicores the limit in thousandths of a core; 0 for no limit
     */
    static CpuLimit create(int millicores) throws IOException {
        boolean unified = Files.exists(ROOT.resolve("cgroup.controllers"));
        var name = "doyen-bench-" + ProcessHandle.current().pid();
        if (unified) {
            Files.writeString(ROOT.resolve("cgroup.subtree_control"), "+cpu");
        }
        var cpu = Files.createDirectories(
                unified ? ROOT.resolve(name) : ROOT.resolve("cpu").resolve(name));
        var count =
                unified ? cpu : Files.createDirectories(ROOT.resolve("cpuacct").resolve(name));
        var group = new CpuLimit(unified, cpu, count);
        if (millicores > 0) {
            group.set(Long.toString(millicores * PERIOD_MICROS / 1_000));
        }
        return group;
    }

    /** Removes the limit. The group still counts the processor time. */
    void lift() throws IOException {
        set(unified ? "max" : "-1");
    }

    /** Returns the files to which a process writes its id to enter the group. */
    List<Path> entries() {
        return List.of(cpu.resolve("cgroup.procs"), count.resolve("cgroup.procs"));
    }

    /** Returns true if a process has entered the group. */
    boolean hasProcess() throws IOException {
        return !Files.readString(count.resolve("cgroup.procs")).isEmpty();
    }

    /** Returns the processor time that all processes of the group have used, in milliseconds. */
    double usedMillis() throws IOException {
        if (!unified) {
            return Long.parseLong(
                            Files.readString(count.resolve("cpuacct.usage")).strip())
                    / 1e6;
        }
        return Files.readAllLines(count.resolve("cpu.stat")).stream()
                        .filter(line -> line.startsWith("usage_usec "))
                        .mapToLong(line -> Long.parseLong(line.substring("usage_usec ".length())))
                        .findFirst()
                        .orElseThrow()
                / 1e3;
    }

    private void set(String micros) throws IOException {
        if (unified) {
            Files.writeString(cpu.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
        } else {
            Files.writeString(cpu.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
            Files.writeString(cpu.resolve("cpu.cfs_quota_us"), micros);
        }
    }

    /** Removes the group, whose processes must have ended. */
    @Override
    public void close() throws IOException {
        for (var each : List.of(cpu, count)) {
            remove(each);
        }
    }

    /** Linux counts an ended process for a moment, and rejects the removal of the group for this time. */
    private static void remove(Path group) throws IOException {
        for (int attempt = 0; ; attempt++) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (IOException e) {
                if (attempt == 100) {
                    throw e;
                }
                try {
                    TimeUnit.MILLISECONDS.sleep(20);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw e;
                }
            }
        }
    }
}
