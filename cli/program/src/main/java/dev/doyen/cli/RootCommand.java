package dev.doyen.cli;

import dev.doyen.group.process.AddressCache;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code doyen} without its subcommands: its options, its version, and its error messages.
 *
 * <p>The class depends on no module that only some subcommands need.
 */
@Command(
        name = "doyen",
        description = "Elects one leader among processes, pods and browser tabs.",
        mixinStandardHelpOptions = true,
        versionProvider = RootCommand.Version.class)
final class RootCommand {

    private static final int EXIT_FAILED = 1;
    private static final int EXIT_MISUSED = 2;

    private ConsoleLog.Detail detail = ConsoleLog.Detail.NORMAL;

    /** Configures the log and the address cache of this JVM. */
    static void prepareProcess() {
        ConsoleLog.install(ConsoleLog.Detail.NORMAL);
        // Members of a ring or a quorum can return with other addresses, so addresses are cached only briefly. Java
        // reads this setting at the first lookup of a name.
        AddressCache.shorten();
    }

    static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    /** Runs the program, and returns its exit code. Reports an error that ends the program. */
    static int surviving(PrintWriter err, IntSupplier program) {
        try {
            return program.getAsInt();
        } catch (Throwable e) {
            // For example, the JVM has no memory left or cannot start a thread.
            err.println("doyen: this process cannot continue: " + e + "; start it again");
            e.printStackTrace(err);
            return EXIT_FAILED;
        }
    }

    /** Returns the program with these subcommands. */
    CommandLine with(Map<String, Supplier<Object>> subcommands, PrintWriter out, PrintWriter err) {
        var program = new CommandLine(this);
        subcommands.forEach((name, command) -> program.addSubcommand(name, command.get()));
        return program
                // The arguments after -- belong to the command that doyen runs, even if an argument starts with @.
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((fault, given) -> misused(err, fault))
                .setExecutionExceptionHandler((fault, command, parsed) -> failed(err, fault));
    }

    /** Enables the detailed log, whose text form includes stack traces. */
    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Logs more details, and prints stack traces.")
    void verbose(boolean enabled) {
        if (enabled) {
            detail = ConsoleLog.Detail.VERBOSE;
            ConsoleLog.install(detail);
        }
    }

    /** Reduces the log to warnings unless {@code --verbose} is set. Returns true if {@code --verbose} is set. */
    boolean configure(boolean json) {
        if (json) {
            ConsoleLog.installJson(detail);
        } else if (detail == ConsoleLog.Detail.NORMAL) {
            ConsoleLog.install(ConsoleLog.Detail.QUIET);
        }
        return detail == ConsoleLog.Detail.VERBOSE;
    }

    private static int misused(PrintWriter err, ParameterException fault) {
        var command = fault.getCommandLine().getCommandSpec();
        String remedy = fault instanceof UnmatchedArgumentException unknown
                ? RemovedOptions.remedy(unknown.getUnmatched())
                : "";
        err.println(misuse(fault.getMessage() + remedy, command.qualifiedName()));
        // The supervisor of a sidecar expects the exit codes of the NAIS elector, which {@code doyen elector} replaces.
        return command.userObject() instanceof ElectorCommand ? ElectorCommand.EXIT_MISUSED : EXIT_MISUSED;
    }

    /** Returns the line that reports wrong usage of a command. */
    static String misuse(String sentence, String command) {
        return "doyen: " + sentence + ". Try: " + command + " --help";
    }

    private int failed(PrintWriter err, Exception fault) {
        err.println("doyen: " + (fault instanceof CommandFailedException ? fault.getMessage() : fault.toString()));
        if (detail == ConsoleLog.Detail.VERBOSE) {
            fault.printStackTrace(err);
        }
        return EXIT_FAILED;
    }

    /** The version for picocli. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {ProgramVersion.line()};
        }
    }
}
