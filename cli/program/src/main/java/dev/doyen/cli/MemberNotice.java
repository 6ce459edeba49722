package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumStatus;
import java.util.Locale;

/** The line that {@code doyen quorum member} prints after each change of the member's state. */
record MemberNotice(QuorumStatus status) {

    /** Returns the name of the event in the JSON output. */
    String event() {
        if (status.problem().isPresent()) {
            return "waits";
        }
        return status.leader().isPresent() ? role() : "no-majority";
    }

    String text() {
        if (status.problem().isPresent()) {
            return "not a member: " + status.problem().get();
        }
        return status.leader()
                .map(leader -> status.address() + " is a " + role() + "; "
                        + (status.isLeader() ? "it leads the log" : leader + " leads the log"))
                .orElseGet(() -> status.address() + " has no majority: the log has no known leader");
    }

    String json() {
        return JsonLine.of(json -> {
            json.writeStringField("event", event());
            json.writeStringField("address", status.address());
            json.writeStringField("leader", status.leader().orElse(""));
            json.writeStringField("message", text());
        });
    }

    private String role() {
        return status.role().map(each -> each.name().toLowerCase(Locale.ROOT)).orElse("process without a vote");
    }
}
