package dev.doyen.group.process;

import static dev.doyen.metrics.Metric.Type.COUNTER;
import static dev.doyen.metrics.Metric.Type.GAUGE;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metrics.MetricsWriter;
import dev.doyen.elector.metrics.MetricsWriter.Label;
import dev.doyen.event.SavedState;
import dev.doyen.group.RingElection;
import dev.doyen.group.RingElectionBuilder;
import dev.doyen.group.RingStatus;
import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ring election of this process: its settings, metrics and state. Threads: any. */
final class MemberElection {

    private final RingElectionSettings electionSettings;
    private volatile @Nullable RingElection opened;

    MemberElection(RingElectionSettings electionSettings) {
        this.electionSettings = electionSettings;
    }

    /**
     * Returns the settings of the election. The caller must add the membership, and may open the election only once.
     *
     * @throws IllegalArgumentException if the name or the priority is invalid
     */
    RingElectionBuilder settings(String election, int priority) {
        return RingElection.named(election)
                .electionTimeout(electionSettings.electionTimeout())
                .algorithm(electionSettings.algorithm())
                .order(electionSettings.order())
                .priority(priority)
                // The process closes the election and then the membership.
                .closeOnShutdown(false);
    }

    /** Opens the election with these settings. Before this call, the ring has no state. */
    RingElection open(RingElectionBuilder settings) {
        RingElection election = settings.open();
        opened = election;
        return election;
    }

    private Optional<RingStatus> status() {
        return Optional.ofNullable(opened).map(RingElection::status);
    }

    /**
     * Returns the time at which the last heartbeat of the known leader arrived. On the leader itself, the result is the
     * time at which it began to lead or last won a round.
     */
    Optional<Instant> lastHeartbeat() {
        return status().flatMap(RingStatus::lastHeartbeat);
    }

    /** Returns the newest saved state that this process has received. */
    SavedState saved() {
        return status().map(RingStatus::savedState).orElse(SavedState.EMPTY);
    }

    /** Writes the ring's metrics, with the label {@code election}. */
    void writeMetrics(MetricsWriter out, String election) {
        var label = new Label("election", election);
        Optional<RingStatus> status = status();
        int members = status.flatMap(RingStatus::view)
                .map(installed -> installed.members().size())
                .orElse(0);
        String count = "doyen_ring_members";
        out.describe(count, GAUGE, "processes in the view, this one included");
        out.value(count, members, label);
        String sent = "doyen_ring_messages_sent_total";
        out.describe(sent, COUNTER, "messages of the ring that this process sent, by kind");
        status.ifPresent(now ->
                now.sent().forEach((kind, messages) -> out.value(sent, messages, label, new Label("kind", kind))));
        String dropped = "doyen_ring_messages_dropped_total";
        out.describe(dropped, COUNTER, "messages of the ring that this process dropped, by reason");
        status.ifPresent(now -> now.dropped()
                .forEach((reason, messages) -> out.value(dropped, messages, label, new Label("reason", reason))));
    }

    /**
     * Writes the ring's fields for the console page.
     *
     * @param election the known state of the election; empty before this process has joined
     */
    void show(JsonGenerator json, Optional<ElectionView> election) throws IOException {
        json.writeStringField("algorithm", MemberJson.lowerCase(electionSettings.algorithm()));
        json.writeStringField("order", MemberJson.lowerCase(electionSettings.order()));
        Optional<RingStatus> status = status();
        if (status.isPresent()) {
            write(json, status.get(), election);
        }
    }

    private static void write(JsonGenerator json, RingStatus status, Optional<ElectionView> election)
            throws IOException {
        boolean leads = election.flatMap(ElectionView::remaining).isPresent();
        if (leads && status.confirmedIn().isPresent()) {
            json.writeNumberField(
                    "confirmedInMicros", status.confirmedIn().get().toNanos() / 1_000);
        }
        if (status.view().isPresent()) {
            json.writeObjectFieldStart("view");
            json.writeNumberField("round", status.round());
            view(json, status.view().get(), status.me(), election);
            json.writeEndObject();
        }
        counts(json, "sent", status.sent());
        counts(json, "dropped", status.dropped());
        json.writeNumberField("buffered", status.buffered());
    }

    /**
     * Writes the members in ring order, starting with this member.
     *
     * <p>This member sends to the second member in this order, and receives from the last member. The JSON omits the
     * last member if the view has more than {@link MemberJson#MEMBERS_SHOWN} members.
     */
    private static void view(JsonGenerator json, View view, Member me, Optional<ElectionView> election)
            throws IOException {
        Stream<Member> around =
                Stream.iterate(me, view::after).limit(view.members().size());
        MemberJson.view(json, view, me, around, election.flatMap(ElectionView::leader));
    }

    private static void counts(JsonGenerator json, String field, Map<String, Long> counts) throws IOException {
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, Long> each : counts.entrySet()) {
            json.writeNumberField(each.getKey(), each.getValue());
        }
        json.writeEndObject();
    }
}
