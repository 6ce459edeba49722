package dev.doyen.cli;

import dev.doyen.Fencing;
import dev.doyen.cli.doctor.Check;
import dev.doyen.cli.doctor.Check.Verdict;
import dev.doyen.cli.doctor.driver.Doctor;
import dev.doyen.cli.doctor.driver.Doctor.Questions;
import dev.doyen.cli.operator.driver.TimeLimitedStore;
import dev.doyen.election.LeaseTiming;
import dev.doyen.elector.text.Spans;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.text.ElectionNames;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code doyen doctor}: checks a store, this machine's clocks and an election. */
@Command(
        name = "doctor",
        description = "Checks a store, this machine's clocks and, if NAME is given, an election.",
        footer = {
            "You can run this command while elections use the store. It writes only its own records, whose names begin"
                    + " with ~.",
            "",
            "Exit code: 0 all checks passed; 1 a check warns; 2 a check failed, the store cannot be used, or wrong"
                    + " usage."
        })
final class DoctorCommand extends StoreCommand {

    private static final Duration MOST_FOR_CLOCKS = Duration.ofHours(1);

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "The name of the election to check.")
    private @Nullable String name;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Checks whether the store is fast enough for this ttl, 200ms to 60m. Default: the ttl of"
                    + " election NAME, or 10s")
    private @Nullable Duration ttl;

    @Option(
            names = "--fencing",
            paramLabel = "NEED",
            description =
                    "Whether a store that can lose a confirmed term fails the check (required) or causes a warning"
                            + " (best_effort). Default: best_effort")
    private Fencing fencing = Fencing.BEST_EFFORT;

    @Option(
            names = "--clocks",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long to compare the wall clock and the monotonic clock of this machine, at most 60m."
                    + " Default: 3s")
    private Duration clocks = Duration.ofSeconds(3);

    DoctorCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void check() {
        if (name != null) {
            ElectionNames.checkElection(name);
        }
        timing();
        if (clocks.compareTo(MOST_FOR_CLOCKS) > 0) {
            throw new IllegalArgumentException(
                    "--clocks is " + Spans.text(clocks) + "; it must be at most " + Spans.text(MOST_FOR_CLOCKS));
        }
    }

    @Override
    int cannotOpen(StoreUnavailableException fault) {
        var report = new CheckReport(json(), this::print);
        report.add(
                fault instanceof StoreRefusedException refused
                        ? Check.fail("store", "it rejects this process: " + refused.refusal(), refused.remedy())
                        : Check.fail(
                                "store",
                                "it cannot be used: " + fault.getMessage(),
                                "check the URL, whether the store runs, and the permissions of this user"));
        return report.end();
    }

    @Override
    int work(TimeLimitedStore opened) throws InterruptedException {
        var report = new CheckReport(json(), this::print);
        report.add(Check.ok("store", "it can be opened"));
        var questions = new Questions(Optional.ofNullable(name), timing(), fencing, clocks);
        new Doctor(opened, questions, Clock.systemUTC(), report::add).examine();
        return report.end();
    }

    private Optional<LeaseTiming> timing() {
        return Optional.ofNullable(ttl).map(LeaseTiming::ofTtl);
    }

    /** Returns the exit code for the worst verdict. */
    static int exitCode(Verdict worst) {
        return switch (worst) {
            case OK -> 0;
            case WARN -> 1;
            case FAIL -> 2;
        };
    }
}
