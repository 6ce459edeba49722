package dev.doyen.cli;

import dev.doyen.Control;
import dev.doyen.cli.operator.AdminEffect;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.elector.text.ElectionText;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code doyen resign}: asks the leader to step down. */
@Command(
        name = "resign",
        description = "Asks the leader of election NAME to step down, waits for the next leader, and prints it.",
        footer = {
            "The leader stops its work, and then releases the lease. After that, this candidate does not campaign for"
                    + " one ttl, so that another candidate can win.",
            "",
            "Exit code: 0 the leader stepped down; 3 nobody led, so no command was sent; 4 the leader still led when"
                    + " the wait ended; 1 the store cannot be used; 2 wrong usage."
        })
final class ResignCommand extends AdminCommand {

    @Mixin
    private final ReasonOption reason = new ReasonOption();

    ResignCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void check() {
        super.check();
        reason.text();
    }

    @Override
    Request request(Control control, ObservedElection before, long nanos) {
        return control.resign(reason.text())
                .map(leader -> Request.waiting(
                        "asked", ElectionText.text(leader) + " is asked to step down", new AdminEffect.Resign(leader)))
                .orElseGet(Request::nobodyLeads);
    }
}
