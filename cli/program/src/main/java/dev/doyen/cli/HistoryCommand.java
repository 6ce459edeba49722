package dev.doyen.cli;

import dev.doyen.cli.operator.driver.ElectionObserver;
import dev.doyen.cli.operator.driver.TimeLimitedStore;
import java.time.Clock;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code doyen history}: prints the leaders and the times of the latest terms. */
@Command(
        name = "history",
        description = "Prints who led election NAME in the present term and in up to 20 past terms.",
        footer = {
            "Each time is by the clock of the process that wrote it. GAP is the time without a leader before the term."
                    + " If a lease expired, UNTIL is the time of its last renewal.",
            "",
            "Exit code: 0 done; 1 the store cannot be used; 2 wrong usage."
        })
final class HistoryCommand extends ElectionCommand {

    HistoryCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    int work(TimeLimitedStore opened) {
        try (var observer = new ElectionObserver(opened, name())) {
            var report = new HistoryReport(
                    name(), observer.snapshot(), Clock.systemUTC().instant());
            (json() ? report.jsonLines() : report.lines()).forEach(this::print);
            return 0;
        }
    }
}
