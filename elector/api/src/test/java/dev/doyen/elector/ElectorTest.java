package dev.doyen.elector;

import static dev.doyen.elector.KnownElections.led;
import static dev.doyen.elector.KnownElections.unled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ElectorTest {

    private static final Instant NOW = Instant.parse("2026-11-21T08:00:30.123Z");
    private final KnownElections elections = new KnownElections();
    private final Elector elector = new Elector(elections, ElectorSettings.of("orders", "s1"));

    @Test
    void root_answers_name_and_last_update_byte_for_byte() {
        elections.set(led("orders", "pod-1", 8));

        var response = get("/");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"name\":\"pod-1\",\"last_update\":\"2026-11-21T08:00:09Z\"}");
        assertThat(response.headers())
                .containsEntry("Content-Type", "application/json")
                .containsEntry("Cache-Control", "no-cache")
                .containsEntry("X-Fencing-Token", "8");
    }

    @Test
    void an_unknown_leader_has_an_empty_name_and_no_token() {
        elections.set(unled("orders", 8));

        assertThat(get("/").body()).isEqualTo("{\"name\":\"\",\"last_update\":\"2026-11-21T08:00:09Z\"}");
        assertThat(get("/").headers()).doesNotContainKey("X-Fencing-Token");
    }

    @Test
    void both_fields_are_present_before_the_leader_is_known() {
        assertThat(get("/").status()).isEqualTo(200);
        assertThat(get("/").body()).isEqualTo("{\"name\":\"\",\"last_update\":\"2026-11-21T08:00:30Z\"}");
    }

    @ParameterizedTest
    @CsvSource({"GET,/anything", "POST,/", "DELETE,/x/y", "BREW,/%zz", "GET,/?a=%zz", "PUT,/v2", "GET,/v1x", "GET,''"})
    void any_other_path_and_method_answers_like_root(String method, String target) {
        elections.set(led("orders", "pod-1", 8));

        var response = (ElectorResponse) elector.answer(ElectorRequest.of(method, target, Map.of()), NOW);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"name\":\"pod-1\",\"last_update\":\"2026-11-21T08:00:09Z\"}");
    }

    @Test
    void a_name_with_quotes_and_line_breaks_stays_json_on_one_line() {
        elections.set(led("orders", "a\"b\nc", 1));

        assertThat(get("/").body()).startsWith("{\"name\":\"a\\\"b\\nc\",");
    }

    @Test
    void isLeader_answers_yes_by_200_and_no_by_409() {
        elections.set(led("orders", "pod 1", 8));

        assertThat(get("/isLeader?id=pod%201").status()).isEqualTo(200);
        assertThat(get("/isLeader?id=pod+1").status()).isEqualTo(200);
        assertThat(get("/isLeader?id=pod-2").status()).isEqualTo(409);
        assertThat(get("/isLeader?id=pod-2").body()).startsWith("{\"name\":\"pod 1\",");
    }

    @Test
    void isLeader_answers_no_when_nobody_leads() {
        elections.set(unled("orders", 3));

        assertThat(get("/isLeader?id=pod-1").status()).isEqualTo(409);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/isLeader", "/isLeader?id=", "/isLeader?ID=x"})
    void isLeader_without_an_id_names_the_parameter(String target) {
        var response = get(target);

        assertThat(response.status()).isEqualTo(400);
        assertThat(response.headers()).containsEntry("Content-Type", "application/problem+json");
        assertThat(response.body()).contains("query parameter id").contains("\"status\":400");
    }

    @Test
    void an_election_is_reported_with_term_and_times() {
        elections.set(led("orders", "pod-1", 8));

        assertThat(get("/v1/elections/orders").body())
                .isEqualTo("{\"name\":\"orders\",\"leader\":{\"id\":\"pod-1\",\"term\":8},\"lastTerm\":8,"
                        + "\"since\":\"2026-11-21T08:00:00.250Z\",\"lastUpdate\":\"2026-11-21T08:00:09.999Z\"}");
        assertThat(get("/v1/elections/orders").headers()).containsEntry("X-Fencing-Token", "8");
    }

    @Test
    void all_elections_are_listed() {
        elections.set(led("orders", "pod-1", 8)).set(unled("mail", 2));

        assertThat(get("/v1/elections").body())
                .startsWith("{\"elections\":[{\"name\":\"orders\"")
                .contains("{\"name\":\"mail\",\"leader\":null,\"lastTerm\":2,");
    }

    @Test
    void names_are_decoded_after_the_path_is_split() {
        elections.set(led("a/b å", "pod-1", 1));

        assertThat(get("/v1/elections/a%2Fb%20%C3%A5").status()).isEqualTo(200);
        assertThat(get("/v1/elections/a/b").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/elections/%",
                "/v1/elections/%4",
                "/v1/elections/%zz",
                "/v1/elections/%ff",
                "/v1/elections/%４1"
            })
    void a_malformed_escape_is_rejected_under_v1(String target) {
        assertThat(get(target).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1",
                "/v1/",
                "/v1/other",
                "/v1/elections/a/b",
                "/v1/elections/a/events/x",
                "/v1/elections%2F%7Bname%7D",
                "/v1/elections/a%2Fevents/x",
                "/v1/elections/a/candidates%2F%7Bid%7D"
            })
    void an_unknown_v1_path_is_a_problem_that_names_the_known_ones(String target) {
        assertThat(get(target).status()).isEqualTo(404);
        assertThat(get(target).body()).contains("/v1/elections/{name}/events");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/events", "/am-i-leader?id=pod-1"})
    void a_client_retries_while_the_own_election_is_not_known_yet(String resource) {
        var own = get("/v1/elections/orders" + resource);
        assertThat(own.status()).isEqualTo(503);
        assertThat(own.headers()).containsEntry("Retry-After", "2");
        assertThat(own.body()).contains("request again");

        assertThat(get("/v1/elections/other" + resource).status()).isEqualTo(404);
    }

    @Test
    void the_fault_of_the_store_is_named_while_the_own_election_is_not_known_yet() {
        elections.unknownBecause("orders", new Explanation(Reason.STORE_REFUSES, "no right to read; grant it"));

        var own = get("/v1/elections/orders");
        assertThat(own.status()).isEqualTo(503);
        assertThat(own.body())
                .contains(
                        "nothing is known yet about the election \\\"orders\\\": no right to read; grant it; request");
    }

    @Test
    void an_error_message_repeats_only_the_start_of_a_name() {
        assertThat(get("/v1/elections/" + "n".repeat(5_000)).body().length()).isLessThan(400);
    }

    @Test
    void v1_is_read_only() {
        var response = (ElectorResponse) elector.answer(ElectorRequest.of("POST", "/v1/elections", Map.of()), NOW);

        assertThat(response.status()).isEqualTo(405);
        assertThat(response.headers()).containsEntry("Allow", "GET, HEAD");
    }

    @Test
    void a_poller_with_the_current_etag_gets_304() {
        elections.set(led("orders", "pod-1", 8));
        var tag = get("/v1/elections/orders").headers().get("ETag");
        var request = ElectorRequest.of("GET", "/v1/elections/orders", Map.of("If-None-Match", "\"x\", " + tag));

        assertThat(((ElectorResponse) elector.answer(request, NOW)).status()).isEqualTo(304);
        assertThat(((ElectorResponse) elector.answer(request, NOW)).body()).isEmpty();

        elections.set(led("orders", "pod-2", 9));
        assertThat(((ElectorResponse) elector.answer(request, NOW)).status()).isEqualTo(200);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_long_list_of_tags_is_read_in_linear_time() {
        elections.set(led("orders", "pod-1", 8));
        var blanks = " ".repeat(2_000_000);
        var tag = get("/v1/elections/orders").headers().get("ETag");
        var request = ElectorRequest.of(
                "GET", "/v1/elections/orders", Map.of("If-None-Match", "\"x" + blanks + "y\"," + blanks + tag));

        assertThat(((ElectorResponse) elector.answer(request, NOW)).status()).isEqualTo(304);
    }

    private ElectorResponse get(String target) {
        return (ElectorResponse) elector.answer(ElectorRequest.of("GET", target, Map.of()), NOW);
    }
}
