package dev.doyen.cli;

import dev.doyen.Election;
import dev.doyen.cli.run.Notice;
import dev.doyen.cli.run.OnLost;
import dev.doyen.cli.run.RunSettings;
import dev.doyen.cli.run.driver.RunDriver;
import dev.doyen.election.Priority;
import dev.doyen.process.CannotStartException;
import dev.doyen.process.RunSignal;
import dev.doyen.process.SearchPath;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.text.ElectionNames;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code doyen run}: runs a command while this process leads. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        customSynopsis = "doyen run NAME --store URL [options] -- COMMAND [ARGUMENT...]",
        description = {
            "Campaigns in election NAME. When elected, runs COMMAND without a shell, and exits with the exit code of"
                    + " COMMAND.",
            "When the leadership is lost, stops COMMAND and all its processes before another candidate can lead. Each"
                    + " process gets SIGTERM. If it still runs after the grace, or when the lease expires, it gets"
                    + " SIGKILL.",
        },
        footerHeading = "%n",
        footer = {
            "The environment of COMMAND contains these variables:",
            "  DOYEN_LEADER             1",
            "  DOYEN_ELECTION           the name of the election",
            "  DOYEN_CANDIDATE          the id of this candidate",
            "  DOYEN_TERM, DOYEN_FENCE  the term, a number that rises with each leadership;",
            "                           send it with each write, so that the receiver can",
            "                           reject writes of older terms",
            "  DOYEN_STATE_FILE         a file with the state that earlier leaders saved;",
            "                           what COMMAND writes to it, at most 64 KiB, is saved",
            "                           for the next leader",
            "",
            "Signals: TERM, INT, HUP, USR1, USR2 and WINCH are forwarded to COMMAND. After TERM or INT, COMMAND must"
                    + " end within the grace; a second TERM or INT kills it at once. Before COMMAND runs, TERM, INT"
                    + " and HUP end doyen run.",
            "",
            "Exit code: that of COMMAND, or 128+n if signal n ended COMMAND or the wait; CODE (see -E) if -n, -w or"
                    + " --on-lost ended doyen run; 127 COMMAND does not exist; 126 COMMAND cannot be executed; 1 the"
                    + " store cannot be used; 2 wrong usage."
        })
final class RunCommand extends BaseCommand {

    private final Map<String, String> environment;
    private final Consumer<Consumer<RunSignal>> signals;
    private final LogSetup logSetup;

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "The name of the election, the same for all candidates.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "The command and its arguments, after --.")
    private List<String> command = List.of();

    @Mixin
    private final StoreOptions store;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "The id of this candidate. Default: the host name and the process id")
    private @Nullable String id;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The ttl of the lease, 200ms to 60m. If the leader does not renew the lease for this time,"
                    + " another candidate can lead. Default: 10s")
    private Duration ttl = Duration.ofSeconds(10);

    @Mixin
    private final GenerationOption generation = new GenerationOption();

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time from SIGTERM to SIGKILL, 0s to 60m. If the lease expires earlier, COMMAND gets SIGKILL"
                    + " then. Default: 5s")
    private Duration grace = RunSettings.DEFAULT_GRACE;

    @Option(
            names = "--stop-before",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "If the store does not answer, COMMAND gets SIGTERM this time before the lease expires; at"
                    + " most two fifths of the ttl. Default: the grace, but at most a fifth of the ttl")
    private @Nullable Duration stopBefore;

    @Option(
            names = "--on-lost",
            paramLabel = "WHAT",
            description = "What to do when the leadership is lost: restart (stop COMMAND, campaign again, and start"
                    + " COMMAND again when elected), stop (stop COMMAND, and exit with CODE), or exit (kill COMMAND at"
                    + " once, and exit with CODE). Default: restart")
    private OnLost onLost = OnLost.RESTART;

    @Option(
            names = {"-n", "--no-wait"},
            description = "Exits with CODE at once if another candidate leads.")
    private boolean noWait;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "TIME",
            converter = SecondsConverter.class,
            description = "Exits with CODE if not elected within this time, such as 30 or 0.5 (seconds) or 2m.")
    private @Nullable Duration maxWait;

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            description = "The exit code if -n, -w or --on-lost ends doyen run, 0 to 255. Default: ${DEFAULT-VALUE}")
    private int conflictExitCode = RunSettings.DEFAULT_CONFLICT_EXIT_CODE;

    /**
     * Creates the command with default values.
     *
     * @param signals receives the handler of the signals that this process gets
     * @param logSetup sets the detail and the format of the log
     */
    RunCommand(Map<String, String> environment, Consumer<Consumer<RunSignal>> signals, LogSetup logSetup) {
        this.environment = environment;
        this.store = new StoreOptions(environment);
        this.signals = signals;
        this.logSetup = logSetup;
    }

    @Override
    public Integer call() throws CommandFailedException, InterruptedException {
        var settings = settings();
        var candidate = candidateId();
        var path = new SearchPath(Optional.ofNullable(environment.get("PATH")));
        boolean talkative = logSetup.configure(store.json());
        var notices = store.json()
                ? NoticePrinter.json(err(), name, candidate, Clock.systemUTC())
                : NoticePrinter.sentences(err(), talkative);
        try {
            // Check the command before the election, so that the program reports a misspelled command at once.
            path.check(command.get(0));
        } catch (CannotStartException e) {
            notices.accept(Notice.loud("not-started", String.valueOf(e.getMessage())));
            return e.exitCode();
        }
        var driver = new RunDriver(open(), candidate, settings, command, path, notices);
        signals.accept(driver::signal);
        return driver.run();
    }

    private Priority priority() {
        long number = generation.number();
        if (number < 0 || number > LeaseNotes.MAX_GENERATION) {
            throw usage("--generation " + number + " is out of bounds; give 0 to " + LeaseNotes.MAX_GENERATION
                    + ", such as the number of the build");
        }
        return Priority.DEFAULT.withGeneration(number);
    }

    private Election open() throws CommandFailedException {
        if (store.url().isEmpty()) {
            throw usage("no store is given; add --store URL, such as --store file:/var/lib/doyen, or set DOYEN_STORE");
        }
        try {
            // After a signal, doyen run ends the command and then closes the election.
            return Election.lease(name)
                    .store(store.url())
                    .ttl(ttl)
                    .priority(priority())
                    .closeOnShutdown(false)
                    .open();
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        } catch (StoreUnavailableException e) {
            throw new CommandFailedException("The store cannot be used: " + e.getMessage(), e);
        }
    }

    private String candidateId() {
        try {
            return ElectionNames.check(
                    "candidate id",
                    id == null ? HostName.get() + "-" + ProcessHandle.current().pid() : id);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private RunSettings settings() {
        try {
            boolean mayWait = !noWait && (maxWait == null || !maxWait.isZero());
            var early = stopBefore == null ? RunSettings.stopBeforeFor(ttl, grace) : stopBefore;
            return new RunSettings(
                    name, ttl, grace, early, onLost, Optional.ofNullable(maxWait), mayWait, conflictExitCode);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }
}
