package dev.doyen.cli;

import dev.doyen.process.ProcessSignals;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The program of the elector's image: {@code doyen elector} without the other commands.
 *
 * <p>The image does not contain the modules that only the other commands need.
 */
public final class ElectorProgram {

    private ElectorProgram() {}

    public static void main(String[] arguments) {
        RootCommand.prepareProcess();
        var err = RootCommand.writer(System.err);
        System.exit(RootCommand.surviving(
                err,
                () -> ElectorCommand.runDirectly(System.getenv(), ProcessSignals::catchAll, List.of(arguments), err)
                        .orElseGet(() -> commandLine(RootCommand.writer(System.out), err)
                                .execute(Stream.concat(Stream.of("elector"), Arrays.stream(arguments))
                                        .toArray(String[]::new)))));
    }

    private static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return new RootCommand()
                .with(
                        Map.of("elector", () -> ElectorCommand.commandLine(System.getenv(), ProcessSignals::catchAll)),
                        out,
                        err);
    }
}
