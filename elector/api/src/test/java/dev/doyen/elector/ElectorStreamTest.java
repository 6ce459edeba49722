package dev.doyen.elector;

import static dev.doyen.elector.KnownElections.led;
import static dev.doyen.elector.KnownElections.unled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Explanation.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ElectorStreamTest {

    private static final Instant NOW = Instant.parse("2026-11-21T08:00:30.123Z");
    private final KnownElections elections = new KnownElections();
    private final Elector elector = new Elector(elections, new ElectorSettings("orders", "s1", 3, AdminAccess.REFUSED));

    @Test
    void sse_opens_with_the_same_json_as_root_and_has_heartbeats() {
        elections.set(led("orders", "pod-1", 8));

        var stream = stream("/sse");

        assertThat(stream.first()).isEqualTo("data: {\"name\":\"pod-1\",\"last_update\":\"2026-11-21T08:00:09Z\"}\n\n");
        assertThat(stream.heartbeat()).isEqualTo(Elector.DEFAULT_HEARTBEAT);
        assertThat(stream.election()).isEqualTo("orders");
    }

    @Test
    void sse_announces_each_change_once() {
        var first = elector.changed(led("orders", "pod-1", 8));
        var again = elector.changed(led("orders", "pod-1", 8));
        var gone = elector.changed(unled("orders", 8));

        assertThat(first.orElseThrow().block(ElectorStream.Dialect.PLAIN))
                .isEqualTo("data: {\"name\":\"pod-1\",\"last_update\":\"2026-11-21T08:00:09Z\"}\n\n");
        assertThat(again).isEmpty();
        assertThat(gone.orElseThrow().plain()).startsWith("data: {\"name\":\"\",");
    }

    @Test
    void a_different_reason_for_no_leader_is_an_event_only_under_v1() {
        elector.changed(led("orders", "pod-1", 8));
        var gone = elector.changed(unled("orders", Reason.TAKING)).orElseThrow();
        var other = elector.changed(unled("orders", Reason.UNHEALTHY)).orElseThrow();

        assertThat(gone.plain()).startsWith("data: {\"name\":\"\",");
        assertThat(other.plain()).isEmpty();
        assertThat(other.event())
                .isEqualTo("id: s1-3\nevent: leader\ndata: {\"name\":\"orders\",\"leader\":null,\"lastTerm\":8,"
                        + "\"since\":\"2026-11-21T08:00:00.250Z\",\"lastUpdate\":\"2026-11-21T08:00:09.999Z\","
                        + "\"noLeader\":{\"reason\":\"unhealthy\",\"sentence\":\"nobody is known to lead\"}}\n\n");
        assertThat(elector.changed(unled("orders", Reason.UNHEALTHY))).isEmpty();
    }

    @Test
    void an_older_term_is_never_announced_after_a_newer() {
        elector.changed(led("orders", "pod-2", 9));

        assertThat(elector.changed(led("orders", "pod-1", 8))).isEmpty();
    }

    @Test
    void a_stream_never_opens_with_a_later_state_than_its_events() {
        elector.changed(led("orders", "pod-1", 8));
        elections.set(led("orders", "pod-2", 9));

        assertThat(stream("/sse").first()).contains("pod-1");
        assertThat(stream("/v1/elections/orders/events").first()).contains("pod-1");
    }

    @Test
    void a_request_can_choose_the_interval_of_the_heartbeats() {
        assertThat(stream("/sse?heartbeat=15s").heartbeat()).isEqualTo(Duration.ofSeconds(15));
        assertThat(stream("/sse?heartbeat=1s").heartbeat()).isEqualTo(Elector.MIN_HEARTBEAT);
        assertThat(stream("/sse?heartbeat=300s").heartbeat()).isEqualTo(Elector.MAX_HEARTBEAT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "301s", "15", "-1s", "1.5s", "", "99999999999999999999s"})
    void a_heartbeat_out_of_bounds_is_rejected_with_the_bounds(String heartbeat) {
        var request = ElectorRequest.of("GET", "/sse?heartbeat=" + heartbeat, Map.of());

        var response = (ElectorResponse) elector.answer(request, NOW);

        assertThat(response.status()).isEqualTo(400);
        assertThat(response.body()).contains("heartbeat (" + heartbeat + ")").contains("1s to 300s");
    }

    @Test
    void events_open_with_retry_and_a_snapshot() {
        elections.set(led("orders", "pod-1", 8));

        var stream = stream("/v1/elections/orders/events");

        assertThat(stream.first())
                .startsWith("retry: 2000\nid: s1-0\nevent: leader\ndata: {\"name\":\"orders\",")
                .endsWith("}\n\n");
        assertThat(stream.heartbeat()).isEqualTo(Elector.DEFAULT_HEARTBEAT);
    }

    @Test
    void a_returning_reader_gets_the_missed_events_in_order() {
        elections.set(led("orders", "pod-3", 3));
        for (int term = 1; term <= 3; term++) {
            elector.changed(led("orders", "pod-" + term, term));
        }

        var first = resumed("s1-1").first();

        assertThat(first).doesNotContain("pod-1").doesNotContain("reset");
        assertThat(first).containsSubsequence("id: s1-2\n", "pod-2", "id: s1-3\n", "pod-3");
    }

    @Test
    void a_reader_that_missed_no_event_gets_the_current_state_with_its_last_id() {
        elections.set(led("orders", "pod-1", 1));
        elector.changed(led("orders", "pod-1", 1));

        assertThat(resumed("s1-1").first()).startsWith("retry: 2000\nid: s1-1\nevent: leader\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s1-1", "s0-4", "s1-6", "s1-", "s1-x", "nonsense", "s1--1", "s1-+3", "s1-３"})
    void a_reader_with_an_unknown_last_id_gets_a_reset(String lastEventId) {
        elections.set(led("orders", "pod-5", 5));
        for (int term = 1; term <= 5; term++) {
            elector.changed(led("orders", "pod-" + term, term));
        }

        var first = resumed(lastEventId).first();

        assertThat(first).startsWith("retry: 2000\nevent: reset\ndata: {\"reason\":");
        assertThat(first).containsSubsequence("event: reset", "id: s1-5\nevent: leader\n", "pod-5");
    }

    @Test
    void a_reader_can_resume_from_the_oldest_stored_event() {
        elections.set(led("orders", "pod-5", 5));
        for (int term = 1; term <= 5; term++) {
            elector.changed(led("orders", "pod-" + term, term));
        }

        assertThat(resumed("s1-2").first()).doesNotContain("reset").containsSubsequence("pod-3", "pod-4", "pod-5");
    }

    @Test
    void the_number_of_remembered_elections_is_limited() {
        elections.set(led("orders", "pod-1", 1));
        elector.changed(led("orders", "pod-1", 1));
        for (int other = 0; other < Announcements.MAX_ELECTIONS; other++) {
            elector.changed(led("other-" + other, "x", 1));
        }

        assertThat(resumed("s1-0").first()).contains("event: reset");
        elector.changed(led("orders", "pod-2", 2));
        assertThat(resumed("s1-0").first()).contains("event: reset");
    }

    @Test
    void events_of_an_unknown_election_are_a_404() {
        var request = ElectorRequest.of("GET", "/v1/elections/nope/events", Map.of());

        assertThat(((ElectorResponse) elector.answer(request, NOW)).status()).isEqualTo(404);
    }

    private ElectorStream resumed(String lastEventId) {
        var request = ElectorRequest.of("GET", "/v1/elections/orders/events", Map.of("Last-Event-ID", lastEventId));
        return (ElectorStream) elector.answer(request, NOW);
    }

    private ElectorStream stream(String target) {
        return (ElectorStream) elector.answer(ElectorRequest.of("GET", target, Map.of()), NOW);
    }
}
