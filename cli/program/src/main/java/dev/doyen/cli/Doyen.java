package dev.doyen.cli;

import dev.doyen.group.process.AddressCache;
import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimsOpener;
import dev.doyen.process.ProcessSignals;
import dev.doyen.process.RunSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code doyen}. */
@Command(
        name = "doyen",
        description = "Elects one leader among processes, pods and browser tabs.",
        mixinStandardHelpOptions = true,
        versionProvider = Doyen.Version.class)
public final class Doyen {

    private static final int EXIT_FAILED = 1;
    private static final int EXIT_MISUSED = 2;

    private ConsoleLog.Detail detail = ConsoleLog.Detail.NORMAL;

    public static void main(String[] arguments) {
        ConsoleLog.install(ConsoleLog.Detail.NORMAL);
        // Members of a ring or a quorum can return with other addresses, so addresses are cached only briefly. Java
        // reads this setting at the first lookup of a name.
        AddressCache.shorten();
        var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(
                ClaimRegistry::open,
                System.getenv(),
                ServerLifecycle.ofProcess(),
                ProcessSignals::catchAll,
                out,
                err,
                arguments));
    }

    /** Runs one command and returns its exit code. */
    static int run(
            ClaimsOpener opener,
            Map<String, String> environment,
            ServerLifecycle lifecycle,
            Consumer<Consumer<RunSignal>> signals,
            PrintWriter out,
            PrintWriter err,
            String... arguments) {
        try {
            if (arguments.length > 0 && arguments[0].equals("elector")) {
                var options = List.of(arguments).subList(1, arguments.length);
                var exitCode = ElectorCommand.runDirectly(environment, signals, options, err);
                if (exitCode.isPresent()) {
                    return exitCode.getAsInt();
                }
            }
            return commandLine(opener, environment, lifecycle, signals, out, err, arguments)
                    .execute(arguments);
        } catch (Throwable e) {
            // For example, the JVM has no memory left or cannot start a thread.
            err.println("doyen: this process cannot continue: " + e + "; start it again");
            e.printStackTrace(err);
            return EXIT_FAILED;
        }
    }

    /**
     * Returns the program with the command that the first argument names. If the first argument names no command,
     * returns the program with all its commands.
     *
     * <p>Reading the options of all commands would delay the start of each command.
     */
    static CommandLine commandLine(
            ClaimsOpener opener,
            Map<String, String> environment,
            ServerLifecycle lifecycle,
            Consumer<Consumer<RunSignal>> signals,
            PrintWriter out,
            PrintWriter err,
            String... arguments) {
        var doyen = new Doyen();
        var program = new CommandLine(doyen);
        var commands = doyen.commands(opener, environment, lifecycle, signals);
        String first = arguments.length == 0 ? "" : arguments[0];
        if (commands.containsKey(first)) {
            commands.keySet().retainAll(Set.of(first));
        }
        commands.forEach((name, command) -> program.addSubcommand(name, command.get()));
        return configured(program, doyen, out, err);
    }

    /** Returns a supplier of each command by its name, in the order of the help. */
    private Map<String, Supplier<Object>> commands(
            ClaimsOpener opener,
            Map<String, String> environment,
            ServerLifecycle lifecycle,
            Consumer<Consumer<RunSignal>> signals) {
        var commands = new LinkedHashMap<String, Supplier<Object>>();
        commands.put("demo", () -> new DemoCommand(opener, environment, lifecycle));
        commands.put("hub", () -> new HubCommand(opener, environment, lifecycle));
        commands.put("run", () -> new RunCommand(environment, signals, this::configure));
        commands.put("elector", () -> ElectorCommand.commandLine(environment, signals));
        commands.put("ring", () -> new RingCommand(environment, signals).line());
        commands.put("leader", () -> new LeaderCommand(environment, this::configure));
        commands.put("watch", () -> new WatchCommand(environment, this::configure));
        commands.put("history", () -> new HistoryCommand(environment, this::configure));
        commands.put("resign", () -> new ResignCommand(environment, this::configure));
        commands.put("transfer", () -> new TransferCommand(environment, this::configure));
        commands.put("pause", () -> new PauseCommand(environment, this::configure));
        commands.put("resume", () -> new ResumeCommand(environment, this::configure));
        commands.put("doctor", () -> new DoctorCommand(environment, this::configure));
        commands.put("quorum", () -> QuorumCommand.commandLine(environment, this::configure, signals));
        return commands;
    }

    private static CommandLine configured(CommandLine program, Doyen doyen, PrintWriter out, PrintWriter err) {
        return program
                // The arguments after -- belong to the command that doyen runs, even if an argument starts with @.
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((fault, given) -> misused(err, fault))
                .setExecutionExceptionHandler((fault, command, parsed) -> doyen.failed(err, fault));
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
    private boolean configure(boolean json) {
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

    /** Reads the version that the build wrote into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            try (var in = Doyen.class.getResourceAsStream("/doyen-version.properties")) {
                var properties = new Properties();
                if (in != null) {
                    properties.load(in);
                }
                return new String[] {"doyen " + properties.getProperty("version", "of an unknown build")};
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
