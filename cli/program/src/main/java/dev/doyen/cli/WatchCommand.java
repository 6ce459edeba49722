package dev.doyen.cli;

import dev.doyen.cli.operator.Change;
import dev.doyen.cli.operator.ElectionWatch;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.cli.operator.driver.ElectionObserver;
import dev.doyen.cli.operator.driver.TimeLimitedStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code doyen watch}: prints the changes of an election as they happen. */
@Command(
        name = "watch",
        description = "Prints each change of election NAME on one line, until Ctrl-C.",
        footer = {
            "The command prints the present state first. The changes are leader, nobody (the leader stepped down, or"
                    + " its lease expired), renewal-missed, renewed, admin-command, paused, resumed, store-unavailable"
                    + " and store-available.",
            "",
            "Exit code: 0 the program that reads the output has ended; 130 after Ctrl-C; 143 after SIGTERM; 1 the store"
                    + " cannot be used at the start; 2 wrong usage. If the store fails later, the command continues."
        })
final class WatchCommand extends ElectionCommand {

    private static final Duration FOREVER = Duration.ofDays(10_000);

    WatchCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    int work(TimeLimitedStore opened) throws InterruptedException {
        var clock = Clock.systemUTC();
        var watch = new ElectionWatch();
        try (var observer = new ElectionObserver(opened, name())) {
            // If the store cannot be read at the start, the command fails. The command prints a later failure as a line
            // of its output, and continues.
            observer.snapshot();
            return observer.follow(FOREVER, new ElectionObserver.Step<Integer>() {
                        private boolean unread;

                        @Override
                        public Optional<Integer> seen(ObservedElection observed, long nanos) {
                            printChanges(watch.seen(observed, nanos, clock.instant()));
                            return unread ? Optional.of(0) : Optional.empty();
                        }

                        @Override
                        public boolean failed(String reason) {
                            printChanges(watch.failed(reason));
                            return true;
                        }

                        private void printChanges(List<Change> changes) {
                            for (var change : changes) {
                                var line = new ChangeLine(name(), change, clock.instant());
                                unread |= !print(json() ? line.json() : line.text());
                            }
                        }
                    })
                    .orElse(0);
        }
    }
}
