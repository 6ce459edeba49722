package dev.doyen.cli;

import dev.doyen.Control;
import dev.doyen.cli.operator.AdminEffect;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.elector.text.ElectionText;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code doyen pause}: pauses an election, so that no candidate leads until {@code doyen resume}. */
@Command(
        name = "pause",
        description = "Pauses election NAME until doyen resume, and waits until its leader has stepped down.",
        footer = {
            "The leader stops its work and steps down. No candidate can lead until doyen resume. You can also pause an"
                    + " election that has never had a leader.",
            "",
            "Exit code: 0 the election is paused and nobody leads; 4 the election is paused, but a candidate still led"
                    + " when the wait ended; 1 the store cannot be used; 2 wrong usage."
        })
final class PauseCommand extends AdminCommand {

    @Mixin
    private final ReasonOption reason = new ReasonOption();

    PauseCommand(Map<String, String> environment, LogSetup logSetup) {
        super(environment, logSetup);
    }

    @Override
    void check() {
        super.check();
        reason.text();
    }

    @Override
    Request request(Control control, ObservedElection before, long nanos) {
        control.pause(reason.text());
        var sentence = ElectionText.quoted(name()) + " is paused"
                + before.leader(nanos)
                        .map(leader -> "; " + ElectionText.text(leader) + " is to step down")
                        .orElse("");
        return Request.waiting("paused", sentence, new AdminEffect.Pause());
    }
}
