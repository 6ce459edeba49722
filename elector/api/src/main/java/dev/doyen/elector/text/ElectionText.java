package dev.doyen.elector.text;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeaseNotes;
import java.time.Instant;
import java.util.Locale;

/** Formats the parts of an election as text. All programs of Doyen use the same text. */
public final class ElectionText {

    private ElectionText() {}

    public static String text(Leader leader) {
        return quoted(leader.id()) + " (term " + leader.term() + ")";
    }

    public static String text(LossCause cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }

    /** Returns text such as {@code by alice@host, 2026-11-21T09:00:00Z, 3 s ago: upgrade}. */
    public static String text(LeaseNotes.Pause pause, Instant now) {
        return "by " + pause.by() + ", " + Spans.text(pause.since()) + ", " + Spans.ago(pause.since(), now)
                + remark(pause.reason());
    }

    /** Returns text such as {@code to hand over to "node-2", by alice@host: upgrade}. */
    public static String text(LeaseNotes.StepDownRequest request) {
        return command(request.to()) + ", by " + request.by() + remark(request.reason());
    }

    /** Returns the text of a command: to step down, or to hand over to {@code to}. */
    static String command(String to) {
        return to.isEmpty() ? "to step down" : "to hand over to " + quoted(to);
    }

    public static String quoted(String name) {
        return "\"" + name + "\"";
    }

    /** Returns a colon, a space and the reason. The text is empty if the reason is empty. */
    public static String remark(String reason) {
        return reason.isEmpty() ? "" : ": " + reason;
    }
}
