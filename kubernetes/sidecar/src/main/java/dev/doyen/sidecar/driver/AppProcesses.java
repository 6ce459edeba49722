package dev.doyen.sidecar.driver;

import dev.doyen.sidecar.AppWatch.AppProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the app's processes in /proc (proc(5)).
 *
 * <p>The app and the sidecar share a process namespace.
 *
 * <p>The class does not use {@link ProcessHandle#onExit}, because this method polls at increasing intervals if the
 * process is not a child. Threads: one.
 */
final class AppProcesses {

    private static final Path PROC = Path.of("/proc");
    private static final String DEAD = "ZXx";

    /**
     * The index of the start time in {@link #fields}. In /proc/PID/stat, field 3 is the state, and field 22 is the
     * start time.
     */
    private static final int STARTED = 19;

    /** The number of checks between two regular searches. A search by name reads a file of nearly every process. */
    private static final int LOOKS_PER_SEARCH = 25;

    private final Named named;
    private final Map<AppProcess, OpenStat> found = new HashMap<>();
    private Set<AppProcess> running = Set.of();
    private int looks;

    private sealed interface Named {}

    private record ByPidFile(Path file) implements Named {}

    private record ByCommand(String command) implements Named {}

    private AppProcesses(Named named) {
        this.named = named;
    }

    /** Returns an object that observes the process whose pid is in this file. */
    static AppProcesses ofPidFile(Path file) {
        return new AppProcesses(new ByPidFile(file));
    }

    /**
     * Returns an object that observes all processes whose program has this name.
     *
     * <p>The sidecar itself is excluded.
     */
    static AppProcesses ofCommand(String command) {
        return new AppProcesses(new ByCommand(command));
    }

    /**
     * Returns the running processes. Each call checks the known processes, and sometimes searches for new processes.
     */
    Set<AppProcess> running() {
        boolean changed = found.values().removeIf(OpenStat::isOfEndedProcess);
        // After the last known process has ended, a new process of the app possibly runs already.
        if (looks++ % LOOKS_PER_SEARCH == 0 || (found.isEmpty() && changed)) {
            for (var process : search()) {
                if (!found.containsKey(process)) {
                    OpenStat.of(process).ifPresent(stat -> found.put(process, stat));
                    changed = true;
                }
            }
        }
        if (changed) {
            running = Set.copyOf(found.keySet());
        }
        return running;
    }

    private Set<AppProcess> search() {
        return named instanceof ByPidFile file ? inPidFile(file.file()) : withCommand(((ByCommand) named).command());
    }

    private static Set<AppProcess> inPidFile(Path file) {
        try {
            var pid = Files.readString(file, StandardCharsets.US_ASCII).strip();
            return pid.matches("[0-9]{1,10}") ? process(Long.parseLong(pid)) : Set.of();
        } catch (IOException e) {
            return Set.of();
        }
    }

    private static Set<AppProcess> withCommand(String command) {
        var matching = new HashSet<AppProcess>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (var directory : directories) {
                long pid = Long.parseLong(directory.getFileName().toString());
                if (pid != ProcessHandle.current().pid() && isNamed(directory, command)) {
                    matching.addAll(process(pid));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return Set.of();
        }
        return matching;
    }

    /**
     * Returns true if {@code command} is the name of this process. The method compares {@code command} with the first
     * word of the command line, which can be a path, and with the process name of the kernel.
     */
    private static boolean isNamed(Path directory, String command) {
        try {
            var commandLine = new String(Files.readAllBytes(directory.resolve("cmdline")), StandardCharsets.UTF_8);
            var first = commandLine.substring(0, Math.max(0, commandLine.indexOf('\0')));
            return first.equals(command)
                    || first.endsWith("/" + command)
                    || Files.readString(directory.resolve("comm")).strip().equals(command);
        } catch (IOException e) {
            return false;
        }
    }

    private static Set<AppProcess> process(long pid) {
        return started(PROC.resolve(Long.toString(pid)))
                .map(started -> Set.of(new AppProcess(pid, started)))
                .orElse(Set.of());
    }

    /**
     * Returns the start time of a process; empty if the process has ended.
     *
     * <p>A zombie counts as ended.
     */
    private static Optional<Long> started(Path directory) {
        try {
            var fields = fields(new String(Files.readAllBytes(directory.resolve("stat")), StandardCharsets.ISO_8859_1));
            return DEAD.contains(fields[0]) ? Optional.empty() : Optional.of(Long.parseLong(fields[STARTED]));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the fields, starting with the state. The process name before the state can contain blanks and
     * parentheses.
     */
    private static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", STARTED + 2);
    }

    /**
     * An open /proc/PID/stat file.
     *
     * <p>The open file stays bound to its process even if the pid is reused. A repeated read of the open file is ten
     * times faster than opening the file again. The file is closed when the process has ended.
     */
    private record OpenStat(FileChannel channel, ByteBuffer buffer) {

        /**
         * The number of bytes to read. The process name has at most 64 bytes, and the text before the state has at most
         * 90 bytes.
         */
        private static final int UP_TO_STATE = 128;

        /** Opens the file. Returns empty if the process has already ended. */
        static Optional<OpenStat> of(AppProcess process) {
            var directory = PROC.resolve(Long.toString(process.pid()));
            try {
                var open = new OpenStat(
                        FileChannel.open(directory.resolve("stat")), ByteBuffer.allocateDirect(UP_TO_STATE));
                // If the process ended before the file was opened, the file can belong to another process with the same
                // pid.
                if (started(directory).equals(Optional.of(process.started()))) {
                    return Optional.of(open);
                }
                open.close();
            } catch (IOException e) {
                // The process has ended.
            }
            return Optional.empty();
        }

        /**
         * Returns true if the process has ended or is a zombie. In this case the method also closes the file.
         *
         * <p>The method allocates no objects, because it runs many times per second.
         */
        boolean isOfEndedProcess() {
            try {
                buffer.clear();
                if (DEAD.indexOf(state(channel.read(buffer, 0))) < 0) {
                    return false;
                }
            } catch (IOException e) {
                // The kernel reports that the process does not exist (ESRCH).
            }
            close();
            return true;
        }

        /**
         * Returns the process state: the character that follows the last parenthesis and one blank.
         *
         * <p>The process name before the state can contain any character.
         */
        private char state(int length) {
            int at = length - 1;
            while (at >= 0 && buffer.get(at) != ')') {
                at--;
            }
            return at < 0 || at + 2 >= length ? DEAD.charAt(0) : (char) buffer.get(at + 2);
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                // Nothing was written, so nothing is lost.
            }
        }
    }
}
