package dev.doyen.cli;

import dev.doyen.Fencing;
import dev.doyen.cli.doctor.Check;
import dev.doyen.cli.doctor.Check.Verdict;
import dev.doyen.cli.doctor.driver.Doctor;
import dev.doyen.cli.doctor.driver.Doctor.Questions;
import dev.doyen.cli.operator.driver.PatientStore;
import dev.doyen.elector.wording.Spans;
import dev.doyen.lease.LeaseTiming;
import dev.doyen.store.ElectionNames;
import dev.doyen.store.StoreUnavailableException;
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
        description = "Looks over a store, this machine's clocks, and election NAME if one is named.",
        footer = {
            "Harmless in a store that is in use: it writes only records of its own, whose names begin"
                    + " with ~, and that nobody holds.",
            "",
            "Exit code: 0 all is well; 1 something could be better; 2 something is wrong, the store"
                    + " cannot be used, or misused."
        })
final class DoctorCommand extends StoreCommand {

    private static final Duration MOST_FOR_CLOCKS = Duration.ofHours(1);

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "The election to look at as well.")
    private @Nullable String name;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Whether the store is fast enough for this, 200ms to 60m. Default: NAME's, or 10s")
    private @Nullable Duration ttl;

    @Option(
            names = "--fencing",
            paramLabel = "NEED",
            description = "With required, a store that may forget a term is wrong; with best_effort it could be better."
                    + " Default: best_effort")
    private Fencing fencing = Fencing.BEST_EFFORT;

    @Option(
            names = "--clocks",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "For how long this machine's clocks are watched. Default: 3s")
    private Duration clocks = Duration.ofSeconds(3);

    DoctorCommand(Map<String, String> environment, Voice voice) {
        super(environment, voice);
    }

    @Override
    void check() {
        if (name != null) {
            ElectionNames.checkElection(name);
        }
        timing();
        if (clocks.compareTo(MOST_FOR_CLOCKS) > 0) {
            throw new IllegalArgumentException(
                    "--clocks is " + Spans.text(clocks) + "; at most " + Spans.text(MOST_FOR_CLOCKS));
        }
    }

    @Override
    int cannotOpen(StoreUnavailableException fault) {
        var report = new CheckReport(json(), this::print);
        report.add(Check.fail(
                "store",
                "it cannot be used: " + fault.getMessage(),
                "see that the URL is right, and that the store runs and lets this user in"));
        return report.end();
    }

    @Override
    int work(PatientStore opened) throws InterruptedException {
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
