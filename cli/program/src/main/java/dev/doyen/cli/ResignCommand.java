package dev.doyen.cli;

import dev.doyen.Control;
import dev.doyen.cli.operator.Sighting;
import dev.doyen.cli.operator.Wish;
import dev.doyen.elector.wording.Wording;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code doyen resign}: asks the leader to step down. */
@Command(
        name = "resign",
        description = "Asks the leader of election NAME to step down, waits until it has, and says who leads now.",
        footer = {
            "The leader stops its work first, gives the lease back, and then stands back for one"
                    + " ttl, so that another can win.",
            "",
            "Exit code: 0 it stepped down; 3 nobody led, nothing was asked; 4 not yet done when the"
                    + " wait was over; 1 the store cannot be used; 2 misused."
        })
final class ResignCommand extends WishCommand {

    @Mixin
    private final ReasonOption reason = new ReasonOption();

    ResignCommand(Map<String, String> environment, Voice voice) {
        super(environment, voice);
    }

    @Override
    void check() {
        super.check();
        reason.text();
    }

    @Override
    Asked ask(Control control, Sighting before, long nanos) {
        return control.resign(reason.text())
                .map(leader -> Asked.waiting(
                        "asked", Wording.text(leader) + " is asked to step down", new Wish.Resign(leader)))
                .orElseGet(Asked::nobodyLeads);
    }
}
