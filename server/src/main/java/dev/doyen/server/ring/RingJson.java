package dev.doyen.server.ring;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.driver.RingTally;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.Orders;
import dev.doyen.event.Leader;
import dev.doyen.event.Moment;
import dev.doyen.lease.Explanation;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ring.Electorate;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingState;
import dev.doyen.server.console.Reigns;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** One look at a process on a ring, as the console's page reads it. Bounded: of many members only the number is told. */
final class RingJson {

    static final int MEMBERS_SHOWN = 40;

    private static final JsonFactory JSON = new JsonFactory();

    private final RingPlan plan;
    private final Optional<Electorate> electorate;
    private final RingTally tally;

    RingJson(RingPlan plan, RingTally tally) {
        this.plan = plan;
        this.electorate = plan.voters().isEmpty() ? Optional.empty() : Optional.of(Electorate.of(plan.voters()));
        this.tally = tally;
    }

    /**
     * All there is to see.
     *
     * @param election what is known of it; empty before this process is a member
     * @param why what the own candidate says of itself
     */
    String of(long nowMillis, Optional<ElectionView> election, Explanation why, Reigns reigns) {
        var text = new StringWriter();
        try (var json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("at", nowMillis);
            json.writeObjectFieldStart("ring");
            json.writeStringField("election", plan.election());
            json.writeStringField("me", plan.cluster().id());
            json.writeStringField("algorithm", word(plan.algorithm()));
            json.writeObjectFieldStart("why");
            json.writeStringField("reason", word(why.reason()));
            json.writeStringField("sentence", why.sentence());
            json.writeEndObject();
            if (election.isPresent()) {
                election(json, election.get());
            }
            Optional<RingState> state = tally.state();
            if (state.flatMap(RingState::view).isPresent()) {
                view(json, state.get(), state.get().view().get(), election.flatMap(ElectionView::leader));
            }
            messages(json, state);
            json.writeEndObject();
            reigns.write(json);
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
        }
        json.writeNumberField("lastTerm", election.lastTerm());
        json.writeNumberField("since", election.since().toEpochMilli());
        boolean leads = election.remaining().isPresent();
        // Only the process that leads can be asked, for there is no record through which it could hear.
        json.writeBooleanField("mayOrder", leads && plan.orders() != Orders.REFUSED);
        if (leads) {
            json.writeNumberField("remaining", election.remaining().get().toMillis());
            if (tally.around().isPresent()) {
                json.writeNumberField("aroundMicros", tally.around().get().toNanos() / 1_000);
            }
        }
        Optional<Long> lap = leads
                ? tally.state().flatMap(RingState::confirmedAt).map(Moment::wallMillis)
                : leader.flatMap(known -> tally.lastLap()).map(Instant::toEpochMilli);
        if (lap.isPresent()) {
            json.writeNumberField("lap", lap.get());
        }
    }

    /** In ring order, from this member on: the next is whom it tells, the last whom it hears. */
    private void view(JsonGenerator json, RingState state, View view, Optional<Leader> leader) throws IOException {
        json.writeObjectFieldStart("view");
        json.writeNumberField("number", view.id().number());
        json.writeStringField("creator", view.id().creator());
        json.writeNumberField("round", state.round());
        json.writeNumberField("membersInAll", view.members().size());
        json.writeArrayFieldStart("members");
        int granted = state.leading().isPresent() || state.asking().isPresent() ? state.granted() : 0;
        Member member = state.me();
        for (int shown = Math.min(MEMBERS_SHOWN, view.members().size()); shown > 0; shown--) {
            String id = member.id();
            int vote = electorate.map(voters -> voters.bitOf(id)).orElse(0);
            json.writeStartObject();
            json.writeStringField("id", id);
            json.writeStringField("incarnation", member.incarnation());
            json.writeBooleanField("me", member.equals(state.me()));
            json.writeBooleanField(
                    "leads", leader.filter(named -> named.id().equals(id)).isPresent());
            json.writeBooleanField("votes", vote != 0);
            json.writeBooleanField("granted", (granted & vote) != 0);
            json.writeEndObject();
            member = view.after(member);
        }
        json.writeEndArray();
        json.writeEndObject();
        if (electorate.isPresent()) {
            voters(json, electorate.get(), electorate.get().votersIn(view), granted);
        }
    }

    private static void voters(JsonGenerator json, Electorate electorate, int here, int granted) throws IOException {
        json.writeObjectFieldStart("voters");
        json.writeArrayFieldStart("ids");
        for (String id : electorate.voters()) {
            json.writeString(id);
        }
        json.writeEndArray();
        json.writeNumberField("here", Integer.bitCount(here));
        json.writeNumberField("granted", Integer.bitCount(granted));
        json.writeNumberField("needed", electorate.quorum());
        json.writeEndObject();
    }

    private void messages(JsonGenerator json, Optional<RingState> state) throws IOException {
        json.writeObjectFieldStart("sent");
        json.writeNumberField("contest", tally.contestSent());
        json.writeNumberField("lap", tally.lapsSent());
        json.writeNumberField("nack", tally.nacksSent());
        json.writeNumberField("yield", tally.yieldsSent());
        json.writeEndObject();
        json.writeObjectFieldStart("dropped");
        for (RingEffect.Why why : RingEffect.Why.values()) {
            json.writeNumberField(word(why), tally.dropped(why));
        }
        json.writeEndObject();
        json.writeNumberField("buffered", state.map(RingState::buffered).orElse(0));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
