package dev.doyen.cli;

import dev.doyen.cli.operator.ObservedElection.State;
import dev.doyen.cli.operator.driver.ElectionObserver;
import dev.doyen.cli.operator.driver.TimeLimitedStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code doyen leader}: prints the present leader. */
@Command(
        name = "leader",
        description = "Prints the leader of election NAME, with its term, the start of the term and the last renewal.",
        footer = {
            "A single read of the lease cannot show whether its holder still runs. With --certain, the command waits"
                    + " until the holder renews the lease, or until the lease expires. This takes at most one ttl.",
            "",
            "Exit code: 0 a candidate leads; CODE (see -E) nobody leads; 1 the store cannot be used; 2 wrong usage."
        })
final class LeaderCommand extends ElectionCommand {

    private static final Duration FOREVER = Duration.ofDays(10_000);
    private static final int MAX_EXIT_CODE = 255;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "TIME",
            converter = SecondsConverter.class,
            description = "Longest wait for a leader if nobody leads, such as 30 or 0.5 (seconds) or 2m. Default: 0")
    private Duration maxWait = Duration.ZERO;

    @Option(
            names = {"-c", "--certain"},
            description = "Waits until the leader renews its lease, or until the lease expires.")
    private boolean certain;

    @Option(
            names = {"-E", "--nobody-exit-code"},
            paramLabel = "CODE",
            description = "The exit code if nobody leads, 0 to 255. Default: ${DEFAULT-VALUE}")
    private int nobodyExitCode = 1;

    LeaderCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void check() {
        super.check();
        if (nobodyExitCode < 0 || nobodyExitCode > MAX_EXIT_CODE) {
            throw new IllegalArgumentException(
                    "-E " + nobodyExitCode + " is not an exit code; it must be from 0 to " + MAX_EXIT_CODE);
        }
    }

    @Override
    int work(TimeLimitedStore opened) throws InterruptedException {
        long begun = System.nanoTime();
        try (var observer = new ElectionObserver(opened, name())) {
            var answer = observer.follow(FOREVER, (observed, nanos) -> {
                boolean mayWait = Duration.ofNanos(nanos - begun).compareTo(maxWait) < 0;
                return isAnswer(observed.state(nanos), certain, mayWait)
                        ? Optional.of(new LeaderReport(
                                name(), observed, nanos, Clock.systemUTC().instant()))
                        : Optional.empty();
            });
            var report = answer.orElseThrow();
            if (json()) {
                print(report.json());
            } else {
                report.lines().forEach(this::print);
            }
            return report.leads() ? 0 : nobodyExitCode;
        }
    }

    /** Returns true if the command can print its answer now and need not wait longer. */
    static boolean isAnswer(State state, boolean certain, boolean mayWait) {
        return switch (state) {
            case LED -> true;
            case NAMED -> !certain;
            case NEVER_LED, FREE, EXPIRED -> !mayWait;
        };
    }
}
