package dev.doyen.cli.run.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lists the live processes of this machine. The source is /proc, or the JDK if the system has no /proc. */
class ProcessTable {

    private static final String DEAD = "ZXx";

    /** The index of a field in /proc/PID/stat. Index 0 is the state, which follows the name in parentheses. */
    private static final int PARENT = 1;

    private static final int GROUP = 2;
    private static final int SESSION = 3;

    private final Path proc;

    ProcessTable(Path proc) {
        this.proc = proc;
    }

    static ProcessTable ofThisMachine() {
        return new ProcessTable(Path.of("/proc"));
    }

    /** Returns true if this system provides the sessions and groups of processes. */
    boolean supportsSessions() {
        return Files.isReadable(proc.resolve("self/stat"));
    }

    /** Returns the live processes. Zombies are omitted, because they have ended and only wait for their parents. */
    List<ProcessEntry> living() {
        if (!supportsSessions()) {
            return ProcessHandle.allProcesses()
                    .filter(ProcessHandle::isAlive)
                    .map(p -> new ProcessEntry(
                            p.pid(), p.parent().map(ProcessHandle::pid).orElse(0L), 0, 0))
                    .collect(Collectors.toList());
        }
        var entries = new ArrayList<ProcessEntry>();
        forEachDirectory(directory -> entry(directory).ifPresent(entries::add));
        return entries;
    }

    /**
     * Returns the pids of the processes whose initial environment contains this {@code NAME=value}. Processes whose
     * environment this user cannot read are omitted.
     */
    List<Long> withEnvironment(String entry) {
        var pids = new ArrayList<Long>();
        forEachDirectory(directory -> {
            if (hasEnvironment(directory, entry)) {
                pids.add(Long.parseLong(directory.getFileName().toString()));
            }
        });
        return pids;
    }

    private void forEachDirectory(java.util.function.Consumer<Path> each) {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(proc, "[0-9]*")) {
            directories.forEach(each);
        } catch (IOException | DirectoryIteratorException e) {
            // The system has no /proc, or does not list it. The callers handle this case.
        }
    }

    private static boolean hasEnvironment(Path directory, String entry) {
        try {
            var environment = new String(Files.readAllBytes(directory.resolve("environ")), StandardCharsets.ISO_8859_1);
            return ("\0" + environment).contains("\0" + entry + "\0");
        } catch (IOException e) {
            // The process belongs to another user, or has ended.
            return false;
        }
    }

    private static Optional<ProcessEntry> entry(Path directory) {
        try {
            var stat = new String(Files.readAllBytes(directory.resolve("stat")), StandardCharsets.ISO_8859_1);
            // The name can contain any character, including spaces and parentheses.
            var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", SESSION + 2);
            if (DEAD.contains(fields[0])) {
                return Optional.empty();
            }
            return Optional.of(new ProcessEntry(
                    Long.parseLong(directory.getFileName().toString()),
                    Long.parseLong(fields[PARENT]),
                    Long.parseLong(fields[GROUP]),
                    Long.parseLong(fields[SESSION])));
        } catch (IOException | RuntimeException e) {
            // The process has ended since it was listed.
            return Optional.empty();
        }
    }
}
