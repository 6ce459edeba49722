package dev.doyen.cli;

import dev.doyen.cli.operator.Sighting.Standing;
import dev.doyen.cli.operator.driver.Onlooker;
import dev.doyen.cli.operator.driver.PatientStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code doyen leader}: prints who leads. */
@Command(
        name = "leader",
        description = "Says who leads election NAME: id, term, since when, and when it was last heard of.",
        footer = {
            "One look cannot tell how old a record is: it names the holder, who may have died"
                    + " since. With --certain the answer waits until the holder was seen to renew its lease,"
                    + " or until nothing has changed for the lease's ttl, and the lease has so run out.",
            "",
            "Exit code: 0 somebody leads; CODE (see -E) nobody does; 1 the store cannot be used;" + " 2 misused."
        })
final class LeaderCommand extends ElectionCommand {

    private static final Duration FOREVER = Duration.ofDays(10_000);
    private static final int MAX_EXIT_CODE = 255;

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "TIME",
            converter = SecondsConverter.class,
            description = "If nobody leads, waits for somebody so long, such as 30, 0.5 or 2m.")
    private Duration patience = Duration.ZERO;

    @Option(
            names = {"-c", "--certain"},
            description = "Waits until the leader was seen to live; for one ttl of its lease at most.")
    private boolean certain;

    @Option(
            names = {"-E", "--nobody-exit-code"},
            paramLabel = "CODE",
            description = "The exit code if nobody leads, 0 to 255. Default: ${DEFAULT-VALUE}")
    private int nobodyExitCode = 1;

    LeaderCommand(Map<String, String> environment, Voice voice) {
        super(environment, voice);
    }

    @Override
    void check() {
        super.check();
        if (nobodyExitCode < 0 || nobodyExitCode > MAX_EXIT_CODE) {
            throw new IllegalArgumentException(
                    "-E " + nobodyExitCode + " is no exit code; it must be from 0 to " + MAX_EXIT_CODE);
        }
    }

    @Override
    int work(PatientStore opened) throws InterruptedException {
        long begun = System.nanoTime();
        try (var onlooker = new Onlooker(opened, name())) {
            var answer = onlooker.follow(FOREVER, (sighting, nanos) -> {
                boolean mayWait = Duration.ofNanos(nanos - begun).compareTo(patience) < 0;
                return isAnswer(sighting.standing(nanos), certain, mayWait)
                        ? Optional.of(new LeaderReport(
                                name(), sighting, nanos, Clock.systemUTC().instant()))
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

    /** Returns whether the command can answer now, instead of waiting longer. */
    static boolean isAnswer(Standing standing, boolean certain, boolean mayWait) {
        return switch (standing) {
            case LED -> true;
            case NAMED -> !certain;
            case NEVER_LED, FREE, RUN_OUT -> !mayWait;
        };
    }
}
