package dev.doyen.cli;

import dev.doyen.cli.operator.driver.Onlooker;
import dev.doyen.cli.operator.driver.PatientStore;
import java.time.Clock;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code doyen history}: prints who led, and when. */
@Command(
        name = "history",
        description = "Shows who led election NAME: the present term and those the record remembers, 20 at most.",
        footer = {
            "Times are by the clocks of those who wrote them. GAP is for how long nobody led before"
                    + " the term. A leader that fell silent is counted until it was last heard of.",
            "",
            "Exit code: 0 done; 1 the store cannot be used; 2 misused."
        })
final class HistoryCommand extends ElectionCommand {

    HistoryCommand(Map<String, String> environment, Voice voice) {
        super(environment, voice);
    }

    @Override
    int work(PatientStore opened) {
        try (var onlooker = new Onlooker(opened, name())) {
            var report =
                    new HistoryReport(name(), onlooker.look(), Clock.systemUTC().instant());
            (json() ? report.jsonLines() : report.lines()).forEach(this::print);
            return 0;
        }
    }
}
