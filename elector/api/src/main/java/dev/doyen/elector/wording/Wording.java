package dev.doyen.elector.wording;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.store.LeasePause;
import dev.doyen.store.StepDownRequest;
import java.time.Instant;
import java.util.Locale;

/** Formats the parts of an election as text, the same in all commands. */
public final class Wording {

    private Wording() {}

    public static String text(Leader leader) {
        return quoted(leader.id()) + " (term " + leader.term() + ")";
    }

    public static String text(LossCause cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }

    /** Returns text such as {@code by alice@host, 2026-11-21T09:00:00Z, 3 s ago: upgrade}. */
    public static String text(LeasePause pause, Instant now) {
        return "by " + pause.by() + ", " + Spans.text(pause.since()) + ", " + Spans.ago(pause.since(), now)
                + remark(pause.reason());
    }

    /** Returns text such as {@code to hand over to "node-2", by alice@host: upgrade}. */
    public static String text(StepDownRequest order) {
        return demand(order.to()) + ", by " + order.by() + remark(order.reason());
    }

    /** Returns what a leader is asked to do. */
    static String demand(String to) {
        return to.isEmpty() ? "to step down" : "to hand over to " + quoted(to);
    }

    public static String quoted(String name) {
        return "\"" + name + "\"";
    }

    /** Returns the reason after a colon and a space; empty if there is none. */
    public static String remark(String reason) {
        return reason.isEmpty() ? "" : ": " + reason;
    }
}
