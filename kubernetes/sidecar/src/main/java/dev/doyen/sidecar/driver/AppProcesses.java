package dev.doyen.sidecar.driver;

import dev.doyen.sidecar.AppWatch.AppProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the app's processes in a process namespace that it shares with the sidecar (proc(5)).
 *
 * <p>It reads /proc, because {@link ProcessHandle#onExit} polls a process that is no child less and less often.
 * Threads: one.
 */
final class AppProcesses {

    private static final Path PROC = Path.of("/proc");
    private static final String DEAD = "ZXx";

    /** Index of field 22 of /proc/PID/stat, counted from the state, which is field 3. */
    private static final int STARTED = 19;

    /** The number of checks between two searches. A search reads some file of nearly every process. */
    private static final int LOOKS_PER_SEARCH = 25;

    private final Named named;
    private final Map<AppProcess, OpenStat> found = new HashMap<>();
    private Set<AppProcess> living = Set.of();
    private int looks;

    private sealed interface Named {}

    private record ByPidFile(Path file) implements Named {}

    private record ByCommand(String command) implements Named {}

    private AppProcesses(Named named) {
        this.named = named;
    }

    /** Watches the process whose pid is in this file. */
    static AppProcesses ofPidFile(Path file) {
        return new AppProcesses(new ByPidFile(file));
    }

    /** Watches all processes whose program has this name, except the sidecar itself. */
    static AppProcesses ofCommand(String command) {
        return new AppProcesses(new ByCommand(command));
    }

    /** The processes that live now. Each call checks the known ones, and sometimes searches for new ones. */
    Set<AppProcess> living() {
        boolean changed = found.values().removeIf(OpenStat::isOfTheDead);
        // The successor of the process that just ended may already run.
        if (looks++ % LOOKS_PER_SEARCH == 0 || (found.isEmpty() && changed)) {
            for (var process : search()) {
                if (!found.containsKey(process)) {
                    OpenStat.of(process).ifPresent(stat -> found.put(process, stat));
                    changed = true;
                }
            }
        }
        if (changed) {
            living = Set.copyOf(found.keySet());
        }
        return living;
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
        } catch (IOException e) {
            return Set.of();
        }
        return matching;
    }

    /** Compares the name with the command line's first word, possibly a path, and with the kernel's name. */
    private static boolean isNamed(Path directory, String command) {
        try {
            var words = new String(Files.readAllBytes(directory.resolve("cmdline")), StandardCharsets.UTF_8);
            var first = words.substring(0, Math.max(0, words.indexOf('\0')));
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

    /** The start time of a process; empty if it is dead or a zombie. */
    private static Optional<Long> started(Path directory) {
        try {
            var fields = fields(new String(Files.readAllBytes(directory.resolve("stat")), StandardCharsets.ISO_8859_1));
            return DEAD.contains(fields[0]) ? Optional.empty() : Optional.of(Long.parseLong(fields[STARTED]));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** The fields from the state on. The name before it may contain blanks and parentheses. */
    private static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", STARTED + 2);
    }

    /**
     * An open /proc/PID/stat file.
     *
     * <p>It stays bound to its process even if the pid is reused, and a second read costs a tenth of a new open. It is
     * closed when the process is dead.
     */
    private record OpenStat(FileChannel channel, ByteBuffer buffer) {

        /** The name has at most 64 bytes, and everything before the state at most 90. */
        private static final int UP_TO_STATE = 128;

        /** Opens the file; empty if the process is already dead. */
        static Optional<OpenStat> of(AppProcess process) {
            var directory = PROC.resolve(Long.toString(process.pid()));
            try {
                var open = new OpenStat(
                        FileChannel.open(directory.resolve("stat")), ByteBuffer.allocateDirect(UP_TO_STATE));
                // The process may have ended before the open, and another may have its pid.
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
         * True, and closes the file, if the process is gone or a zombie.
         *
         * <p>It allocates no objects, because it runs many times per second.
         */
        boolean isOfTheDead() {
            try {
                buffer.clear();
                if (DEAD.indexOf(state(channel.read(buffer, 0))) < 0) {
                    return false;
                }
            } catch (IOException e) {
                // The kernel reports that the process is gone (ESRCH).
            }
            close();
            return true;
        }

        /**
         * The process state: the character after the last parenthesis and a blank.
         *
         * <p>The name before it may contain any character.
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
