package dev.doyen.group.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.group.RingElection;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metrics.MetricsText;
import dev.doyen.event.SavedState;
import dev.doyen.group.RingElectionBuilder;
import dev.doyen.group.driver.RingTally;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import dev.doyen.ring.RingEffect;
import dev.doyen.ring.RingState;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** The ring election of this process: its settings, metrics and state. Threads: any. */
final class MemberElection {

    private final RingElectionSettings electionSettings;
    private final RingTally tally = new RingTally();

    MemberElection(RingElectionSettings electionSettings) {
        this.electionSettings = electionSettings;
    }

    /**
     * Returns the settings of the election without a membership. Open them only once.
     *
     * @throws IllegalArgumentException if the name or the priority is invalid
     */
    RingElectionBuilder settings(String election, int priority) {
        return RingElection.named(election)
                .electionTimeout(electionSettings.electionTimeout())
                .algorithm(electionSettings.algorithm())
                .order(electionSettings.order())
                .priority(priority)
                .tally(tally);
    }

    /** Returns when the last heartbeat of the named leader arrived. Undefined on the leader itself. */
    Optional<Instant> lastHeard() {
        return tally.lastLap();
    }

    /** Returns the newest saved state that has reached this process. */
    SavedState saved() {
        return tally.state().map(state -> state.saved().state()).orElse(SavedState.EMPTY);
    }

    /** Writes the ring's metrics. */
    void writeMetrics(MetricsText text) {
        Optional<View> view = tally.state().flatMap(RingState::view);
        int members = view.map(installed -> installed.members().size()).orElse(0);
        text.single("doyen_ring_members", "gauge", "processes in the view, this one included", members);
        String sent = "doyen_ring_messages_sent_total";
        text.describe(sent, "counter", "messages of the ring that this process sent, by kind");
        text.value(sent, "kind=\"contest\"", tally.contestSent());
        text.value(sent, "kind=\"lap\"", tally.lapsSent());
        text.value(sent, "kind=\"nack\"", tally.nacksSent());
        text.value(sent, "kind=\"yield\"", tally.yieldsSent());
        text.value(sent, "kind=\"state\"", tally.statesSent());
        String dropped = "doyen_ring_messages_dropped_total";
        text.describe(dropped, "counter", "messages of the ring that came and had no place there, by reason");
        for (RingEffect.Why why : RingEffect.Why.values()) {
            text.value(dropped, "reason=\"" + MemberJson.word(why) + "\"", tally.dropped(why));
        }
    }

    /**
     * Writes the ring's fields for the console page.
     *
     * @param election the known state of the election; empty before this process has joined
     */
    void show(JsonGenerator json, Optional<ElectionView> election) throws IOException {
        json.writeStringField("algorithm", MemberJson.word(electionSettings.algorithm()));
        json.writeStringField("order", MemberJson.word(electionSettings.order()));
        boolean leads = election.flatMap(ElectionView::remaining).isPresent();
        if (leads && tally.around().isPresent()) {
            json.writeNumberField("aroundMicros", tally.around().get().toNanos() / 1_000);
        }
        Optional<RingState> state = tally.state();
        Optional<View> view = state.flatMap(RingState::view);
        if (view.isPresent()) {
            json.writeObjectFieldStart("view");
            json.writeNumberField("round", state.get().round());
            view(json, view.get(), state.get().me(), election);
            json.writeEndObject();
        }
        messages(json, state);
    }

    /**
     * Writes the members in ring order from this one.
     *
     * <p>This member sends to the next one and receives from the last one.
     */
    private static void view(JsonGenerator json, View view, Member me, Optional<ElectionView> election)
            throws IOException {
        Stream<Member> around =
                Stream.iterate(me, view::after).limit(view.members().size());
        MemberJson.view(json, view, me, around, election.flatMap(ElectionView::leader));
    }

    private void messages(JsonGenerator json, Optional<RingState> state) throws IOException {
        json.writeObjectFieldStart("sent");
        json.writeNumberField("contest", tally.contestSent());
        json.writeNumberField("lap", tally.lapsSent());
        json.writeNumberField("nack", tally.nacksSent());
        json.writeNumberField("yield", tally.yieldsSent());
        json.writeNumberField("state", tally.statesSent());
        json.writeEndObject();
        json.writeObjectFieldStart("dropped");
        for (RingEffect.Why why : RingEffect.Why.values()) {
            json.writeNumberField(MemberJson.word(why), tally.dropped(why));
        }
        json.writeEndObject();
        json.writeNumberField("buffered", state.map(RingState::buffered).orElse(0));
    }
}
