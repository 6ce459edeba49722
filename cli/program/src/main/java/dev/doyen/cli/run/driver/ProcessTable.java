package dev.doyen.cli.run.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lists the living processes of this machine, from /proc or, without it, from the JDK. */
class ProcessTable {

    private static final String DEAD = "ZXx";

    /** Field indexes in /proc/PID/stat, counted from the state, which follows the name in parentheses. */
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

    /** Whether sessions and groups can be determined. */
    boolean knowsSessions() {
        return Files.isReadable(proc.resolve("self/stat"));
    }

    /** The processes that live now, without zombies, which only wait for their parents to collect them. */
    List<ProcessEntry> living() {
        if (!knowsSessions()) {
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

    /** The pids of all processes whose initial environment contains this {@code NAME=value}. */
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
        } catch (IOException e) {
            // There is no /proc. The callers handle that.
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
            // The name may contain any character, even blanks and parentheses.
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
            // The process ended after it was listed.
            return Optional.empty();
        }
    }
}
