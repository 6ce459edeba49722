package dev.doyen.server.sidecar.driver;

import dev.doyen.server.sidecar.AppWatch.AppProcess;
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
 * The app's processes, in a process namespace that the sidecar shares with it. Source: proc(5).
 *
 * <p>By reading and not by {@link ProcessHandle#onExit}, which for a process that is no child looks seldom, and less and
 * less often. Threads: one.
 */
final class AppProcesses {

    private static final Path PROC = Path.of("/proc");
    private static final String DEAD = "ZXx";

    /** Field 22 of /proc/PID/stat, counted from the state, which is field 3. */
    private static final int STARTED = 19;

    /** How many looks go by between searches, each of which reads about every process there is. */
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

    /** The process whose number stands in this file. */
    static AppProcesses ofPidFile(Path file) {
        return new AppProcesses(new ByPidFile(file));
    }

    /** All processes whose program has this name, but for this one. */
    static AppProcesses ofCommand(String command) {
        return new AppProcesses(new ByCommand(command));
    }

    /** Those that live now. Those known are looked at each time; new ones are searched for now and then. */
    Set<AppProcess> living() {
        boolean changed = found.values().removeIf(OpenStat::isOfTheDead);
        // One that took over from the one that ended may be there already.
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

    /** By the first word it was started with, which may be a path, or by the kernel's name for it. */
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

    /** When it was started; empty if it does not live, as a zombie does not. */
    private static Optional<Long> started(Path directory) {
        try {
            var fields = fields(new String(Files.readAllBytes(directory.resolve("stat")), StandardCharsets.ISO_8859_1));
            return DEAD.contains(fields[0]) ? Optional.empty() : Optional.of(Long.parseLong(fields[STARTED]));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** From the state on; the name before it may hold anything, blanks and parentheses too. */
    private static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", STARTED + 2);
    }

    /**
     * A process's stat, kept open: it is that process's for ever, whoever has its number later, and to read it again costs a
     * tenth of opening it. Closed when the process is dead.
     */
    private record OpenStat(FileChannel channel, ByteBuffer buffer) {

        /** The name in it has at most 64 bytes, what is before the state at most 90. */
        private static final int UP_TO_STATE = 128;

        /** Empty if it is dead already. */
        static Optional<OpenStat> of(AppProcess process) {
            var directory = PROC.resolve(Long.toString(process.pid()));
            try {
                var open = new OpenStat(
                        FileChannel.open(directory.resolve("stat")), ByteBuffer.allocateDirect(UP_TO_STATE));
                // It may have ended, and another have its number, before this was opened.
                if (started(directory).equals(Optional.of(process.started()))) {
                    return Optional.of(open);
                }
                open.close();
            } catch (IOException e) {
                // Ended meanwhile.
            }
            return Optional.empty();
        }

        /** Gone, or a zombie; then it is closed. Makes no objects: it is asked many times a second. */
        boolean isOfTheDead() {
            try {
                buffer.clear();
                if (DEAD.indexOf(state(channel.read(buffer, 0))) < 0) {
                    return false;
                }
            } catch (IOException e) {
                // What the kernel says of a process that is gone: no such process.
            }
            close();
            return true;
        }

        /** What comes after the name, which may hold anything: so after the last parenthesis, and a blank. */
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
                // Nothing was written to it.
            }
        }
    }
}
