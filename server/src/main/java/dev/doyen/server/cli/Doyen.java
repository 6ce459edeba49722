package dev.doyen.server.cli;

import dev.doyen.server.claims.ClaimKeeper;
import dev.doyen.server.claims.ClaimsOpener;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

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
        var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(ClaimKeeper::open, System.getenv(), Lifetime.ofProcess(), out, err, arguments));
    }

    /** Runs one command and returns its exit code. */
    static int run(
            ClaimsOpener opener,
            Map<String, String> environment,
            Lifetime lifetime,
            PrintWriter out,
            PrintWriter err,
            String... arguments) {
        var doyen = new Doyen();
        return new CommandLine(doyen)
                .addSubcommand(new DemoCommand(opener, environment, lifetime))
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((fault, given) -> misused(err, fault))
                .setExecutionExceptionHandler((fault, command, parsed) -> doyen.failed(err, fault))
                .execute(arguments);
    }

    /** Says everything that is logged, and where errors come from. */
    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Logs more, and shows stack traces.")
    void verbose(boolean wanted) {
        if (wanted) {
            detail = ConsoleLog.Detail.VERBOSE;
            ConsoleLog.install(detail);
        }
    }

    private static int misused(PrintWriter err, ParameterException fault) {
        var command = fault.getCommandLine().getCommandSpec().qualifiedName();
        err.println("doyen: " + fault.getMessage() + ". Try: " + command + " --help");
        return EXIT_MISUSED;
    }

    private int failed(PrintWriter err, Exception fault) {
        err.println("doyen: " + (fault instanceof CommandFailedException ? fault.getMessage() : fault.toString()));
        if (detail == ConsoleLog.Detail.VERBOSE) {
            fault.printStackTrace(err);
        }
        return EXIT_FAILED;
    }

    /** The version that the build wrote down. */
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
