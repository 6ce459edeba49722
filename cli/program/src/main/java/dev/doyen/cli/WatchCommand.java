package dev.doyen.cli;

import dev.doyen.cli.operator.Change;
import dev.doyen.cli.operator.ElectionWatch;
import dev.doyen.cli.operator.Sighting;
import dev.doyen.cli.operator.driver.Onlooker;
import dev.doyen.cli.operator.driver.PatientStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code doyen watch}: prints the changes of an election as they happen. */
@Command(
        name = "watch",
        description = "Follows election NAME, one line for each change, until it is stopped (Ctrl-C).",
        footer = {
            "Says first how things stand; then leader, nobody, silent (a renewal was missed), heard"
                    + " (renewed again), order, paused, resumed, and store-away and store-back. A leader whose"
                    + " lease was seen to run out is named no more.",
            "",
            "Exit code: 0 nobody reads the output any more; 130 after Ctrl-C, 143 after SIGTERM;"
                    + " 1 the store cannot be used; 2 misused. A store that goes away later is waited for."
        })
final class WatchCommand extends ElectionCommand {

    private static final Duration FOREVER = Duration.ofDays(10_000);

    WatchCommand(Map<String, String> environment, Voice voice) {
        super(environment, voice);
    }

    @Override
    int work(PatientStore opened) throws InterruptedException {
        var clock = Clock.systemUTC();
        var watch = new ElectionWatch();
        try (var onlooker = new Onlooker(opened, name())) {
            // If the store cannot be read at the start, the command fails. A later failure is one line of the output.
            onlooker.look();
            return onlooker.follow(FOREVER, new Onlooker.Step<Integer>() {
                        private boolean unread;

                        @Override
                        public Optional<Integer> seen(Sighting sighting, long nanos) {
                            tell(watch.seen(sighting, nanos, clock.instant()));
                            return unread ? Optional.of(0) : Optional.empty();
                        }

                        @Override
                        public boolean failed(String reason) {
                            tell(watch.failed(reason));
                            return true;
                        }

                        private void tell(List<Change> changes) {
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
