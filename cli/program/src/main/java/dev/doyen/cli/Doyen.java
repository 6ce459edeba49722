package dev.doyen.cli;

import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimsOpener;
import dev.doyen.process.ProcessSignals;
import dev.doyen.process.RunSignal;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The program {@code doyen}. */
public final class Doyen {

    private static final Set<String> VERSION_OPTIONS = Set.of("-V", "--version");

    private Doyen() {}

    public static void main(String[] arguments) {
        // picocli and the log would delay this start (testing/benchmarks/PROGRAM.md).
        if (arguments.length == 1 && VERSION_OPTIONS.contains(arguments[0])) {
            System.out.println(ProgramVersion.line());
            return;
        }
        RootCommand.prepareProcess();
        System.exit(run(
                ClaimRegistry::open,
                System.getenv(),
                ServerLifecycle.ofProcess(),
                ProcessSignals::catchAll,
                RootCommand.writer(System.out),
                RootCommand.writer(System.err),
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
        return RootCommand.surviving(err, () -> {
            if (arguments.length > 0 && arguments[0].equals("elector")) {
                var options = List.of(arguments).subList(1, arguments.length);
                var exitCode = ElectorCommand.runDirectly(environment, signals, options, err);
                if (exitCode.isPresent()) {
                    return exitCode.getAsInt();
                }
            }
            return commandLine(opener, environment, lifecycle, signals, out, err, arguments)
                    .execute(arguments);
        });
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
        var root = new RootCommand();
        var commands = commands(root, opener, environment, lifecycle, signals);
        String first = arguments.length == 0 ? "" : arguments[0];
        if (commands.containsKey(first)) {
            commands.keySet().retainAll(Set.of(first));
        }
        return root.with(commands, out, err);
    }

    /** Returns a supplier of each command by its name, in the order of the help. */
    private static Map<String, Supplier<Object>> commands(
            RootCommand root,
            ClaimsOpener opener,
            Map<String, String> environment,
            ServerLifecycle lifecycle,
            Consumer<Consumer<RunSignal>> signals) {
        LogSetup log = root::configure;
        var commands = new LinkedHashMap<String, Supplier<Object>>();
        commands.put("demo", () -> new DemoCommand(opener, environment, lifecycle));
        commands.put("hub", () -> new HubCommand(opener, environment, lifecycle));
        commands.put("run", () -> new RunCommand(environment, signals, log));
        commands.put("elector", () -> ElectorCommand.commandLine(environment, signals));
        commands.put("ring", () -> new RingCommand(environment, signals).line());
        commands.put("leader", () -> new LeaderCommand(environment, log));
        commands.put("watch", () -> new WatchCommand(environment, log));
        commands.put("history", () -> new HistoryCommand(environment, log));
        commands.put("resign", () -> new ResignCommand(environment, log));
        commands.put("transfer", () -> new TransferCommand(environment, log));
        commands.put("pause", () -> new PauseCommand(environment, log));
        commands.put("resume", () -> new ResumeCommand(environment, log));
        commands.put("doctor", () -> new DoctorCommand(environment, log));
        commands.put("quorum", () -> QuorumCommand.commandLine(environment, log, signals));
        return commands;
    }
}
