package dev.doyen.cli;

import dev.doyen.stores.quorum.QuorumStatus;
import dev.doyen.stores.quorum.QuorumStatus.Member;
import dev.doyen.stores.quorum.QuorumStatus.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The output of {@code doyen quorum members}. */
record QuorumReport(QuorumStatus status) {

    private static final int CONFIRMED_COLUMN = 4;

    List<String> lines() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ADDRESS", "ROLE", "LEADS", "ANSWERS", "CONFIRMED"));
        status.members().forEach(each -> rows.add(row(each)));
        List<String> lines = new ArrayList<>(new TextTable(rows, CONFIRMED_COLUMN).lines());
        lines.add(summary());
        return lines;
    }

    String json() {
        return JsonLine.of(json -> {
            json.writeStringField("group", status.group().orElse(""));
            json.writeNumberField("term", status.term());
            json.writeNumberField("commitIndex", status.commitIndex());
            json.writeStringField("leader", status.leader().orElse(""));
            json.writeArrayFieldStart("members");
            for (Member each : status.members()) {
                json.writeStartObject();
                json.writeStringField("address", each.address());
                json.writeStringField("role", role(each));
                json.writeBooleanField("leads", each.isLeader());
                json.writeBooleanField("answers", each.isReachable());
                if (each.confirmedIndex().isPresent()) {
                    json.writeNumberField(
                            "confirmedIndex", each.confirmedIndex().getAsLong());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private List<String> row(Member member) {
        return List.of(
                member.address(),
                role(member),
                member.isLeader() ? "yes" : "-",
                member.isReachable() ? "yes" : "no",
                member.confirmedIndex().isPresent()
                        ? Long.toString(member.confirmedIndex().getAsLong())
                        : "-");
    }

    private String summary() {
        long voters = status.members().stream()
                .filter(each -> each.role() == Role.VOTER)
                .count();
        long here = status.members().stream()
                .filter(each -> each.role() == Role.VOTER && each.isReachable())
                .count();
        long spare = here - (voters / 2 + 1);
        return here + " of " + voters + " voters answer, so the quorum survives the loss of " + Math.max(0, spare)
                + " more. " + status.commitIndex() + " entries are confirmed.";
    }

    private static String role(Member member) {
        return member.role().name().toLowerCase(Locale.ROOT);
    }
}
