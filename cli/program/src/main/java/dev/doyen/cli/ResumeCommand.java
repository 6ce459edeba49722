package dev.doyen.cli;

import dev.doyen.Control;
import dev.doyen.cli.operator.AdminEffect;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.store.LeaseRecord;
import java.time.Clock;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code doyen resume}: ends a pause. */
@Command(
        name = "resume",
        description = "Ends the pause of election NAME, waits until a candidate leads, and prints the leader.",
        footer = {
            "Exit code: 0 a candidate leads, or the election was not paused; 4 nobody led when the wait ended;"
                    + " 1 the store cannot be used; 2 wrong usage."
        })
final class ResumeCommand extends AdminCommand {

    ResumeCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    Request request(Control control, ObservedElection before, long nanos) {
        long term = before.record().map(LeaseRecord::term).orElse(0L);
        return control.resume()
                .map(pause -> Request.waiting(
                        "resumed",
                        ElectionText.quoted(name()) + " may have a leader again; it was paused "
                                + ElectionText.text(pause, Clock.systemUTC().instant()),
                        new AdminEffect.Resume(term)))
                .orElseGet(() -> Request.nothing(
                        ElectionText.quoted(name()) + " is not paused, so the command changed nothing", 0));
    }
}
