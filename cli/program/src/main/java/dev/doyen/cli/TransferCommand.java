package dev.doyen.cli;

import dev.doyen.Control;
import dev.doyen.cli.operator.AdminEffect;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.text.ElectionNames;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code doyen transfer}: asks the leader to hand over to a named candidate. */
@Command(
        name = "transfer",
        description = "Asks the leader of election NAME to hand over to CANDIDATE, waits, and prints the new leader.",
        footer = {
            "The leader stops its work, and then releases the lease. CANDIDATE can take over at once, even in the"
                    + " cooldown after its own resignation. The other candidates wait for half a ttl.",
            "",
            "Exit code: 0 CANDIDATE leads; 3 nobody led, so no command was sent; 4 another candidate took over, or"
                    + " CANDIDATE did not lead when the wait ended; 1 the store cannot be used; 2 wrong usage."
        })
final class TransferCommand extends AdminCommand {

    @Parameters(index = "1", paramLabel = "CANDIDATE", description = "The id of the preferred successor.")
    private String candidate = "";

    @Mixin
    private final ReasonOption reason = new ReasonOption();

    TransferCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void check() {
        super.check();
        ElectionNames.check("CANDIDATE", candidate);
        reason.text();
    }

    @Override
    Request request(Control control, ObservedElection before, long nanos) {
        var leads = before.leader(nanos).filter(leader -> leader.id().equals(candidate));
        if (leads.isPresent()) {
            return Request.nothing(ElectionText.text(leads.get()) + " leads already, so no command was sent", 0);
        }
        return control.transferTo(candidate, reason.text())
                .map(leader -> Request.waiting(
                        "asked",
                        ElectionText.text(leader) + " is asked to hand over to " + ElectionText.quoted(candidate),
                        new AdminEffect.Transfer(leader, candidate)))
                .orElseGet(Request::nobodyLeads);
    }
}
