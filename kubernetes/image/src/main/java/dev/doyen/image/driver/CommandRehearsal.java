package dev.doyen.image.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rehearses the commands of the program {@code doyen} that end by themselves, with the store {@code file:}. */
final class CommandRehearsal {

    /** The commands, in the order in which they run. The later commands print what {@code run} has written. */
    static final List<String> COMMANDS = List.of("--version", "--help", "run", "leader", "history");

    private static final String ELECTION = "orders";
    private static final String TASK = "true";

    private final Path home;
    private final Path scratch;
    private final List<String> command;

    /** The parameters have the same meaning as in {@link Rehearsal}. */
    CommandRehearsal(Path home, Path scratch, List<String> command) {
        this.home = home;
        this.scratch = scratch;
        this.command = command;
    }

    /** Runs the command, which must exit with code 0. */
    void play(String name) throws IOException, InterruptedException {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
        try (var program = RunningProgram.start(
                home,
                scratch.resolve(name + ".log"),
                Map.of("PATH", path, "DOYEN_STORE", "file:" + scratch.resolve("store")),
                command,
                arguments(name))) {
            program.endByItself();
        }
    }

    private static List<String> arguments(String name) {
        return switch (name) {
            case "--version", "--help" -> List.of();
            case "run" -> List.of(ELECTION, "--id", "rehearsal", "--", TASK);
            // Nobody leads after the command of doyen run has ended.
            case "leader" -> List.of(ELECTION, "--nobody-exit-code", "0");
            default -> List.of(ELECTION);
        };
    }
}
