package dev.doyen.group.process;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.console.LeadershipLog;
import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Builds the state of a ring process as JSON for the console page.
 *
 * <p>The size is bounded. If the view has many members, the JSON contains only the first members and the total number.
 */
final class MemberJson {

    static final int MEMBERS_SHOWN = 40;

    private static final JsonFactory JSON = new JsonFactory();

    private final MemberSettings memberSettings;
    private final MemberElection contest;

    MemberJson(MemberSettings memberSettings, MemberElection contest) {
        this.memberSettings = memberSettings;
        this.contest = contest;
    }

    /**
     * Returns the whole state as JSON.
     *
     * @param election the known state of the election; empty before this process has joined
     * @param why the reason why this process's candidate leads or does not lead
     */
    String of(long nowMillis, Optional<ElectionView> election, Explanation why, LeadershipLog leaderships) {
        var text = new StringWriter();
        try (var json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("at", nowMillis);
            json.writeObjectFieldStart("process");
            json.writeStringField("election", memberSettings.election());
            json.writeStringField("me", memberSettings.cluster().id());
            json.writeObjectFieldStart("why");
            json.writeStringField("reason", lowerCase(why.reason()));
            json.writeStringField("sentence", why.sentence());
            json.writeEndObject();
            if (election.isPresent()) {
                election(json, election.get());
            }
            contest.show(json, election);
            json.writeEndObject();
            leaderships.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private void election(JsonGenerator json, ElectionView election) throws IOException {
        Optional<Leader> leader = election.leader();
        if (leader.isPresent()) {
            json.writeObjectFieldStart("leader");
            json.writeStringField("id", leader.get().id());
            json.writeNumberField("term", leader.get().term());
            json.writeEndObject();
            json.writeNumberField("confirmed", election.lastUpdate().toEpochMilli());
        }
        json.writeNumberField("lastTerm", election.lastTerm());
        json.writeNumberField("since", election.since().toEpochMilli());
        // Only the leader's own process accepts these commands. The ring has no shared record through which another
        // process could pass a command to the leader.
        json.writeArrayFieldStart("commands");
        if (election.remaining().isPresent() && !memberSettings.adminAccess().rejectsAll()) {
            json.writeString("resign");
            json.writeString("transfer");
        }
        json.writeEndArray();
        if (election.remaining().isPresent()) {
            json.writeNumberField("remaining", election.remaining().get().toMillis());
        }
    }

    /**
     * Writes the fields of a view.
     *
     * @param members all members, in the order of display
     */
    static void view(JsonGenerator json, View view, Member me, Stream<Member> members, Optional<Leader> leader)
            throws IOException {
        json.writeNumberField("number", view.id().number());
        json.writeStringField("creator", view.id().creator());
        json.writeNumberField("membersInAll", view.members().size());
        json.writeArrayFieldStart("members");
        for (Member member : members.limit(MEMBERS_SHOWN).toList()) {
            json.writeStartObject();
            json.writeStringField("id", member.id());
            json.writeStringField("incarnation", member.incarnation());
            json.writeBooleanField("me", member.equals(me));
            json.writeBooleanField(
                    "leads",
                    leader.filter(named -> named.id().equals(member.id())).isPresent());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
