package dev.doyen.elector;

import static dev.doyen.elector.KnownElections.CHANGED;
import static dev.doyen.elector.KnownElections.CONFIRMED;
import static dev.doyen.elector.KnownElections.led;
import static dev.doyen.elector.KnownElections.unled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.event.Explanation;
import dev.doyen.event.Explanation.Reason;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.SavedState;
import dev.doyen.store.LeaseNotes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VersionOneTest {

    private static final Instant NOW = Instant.parse("2026-11-21T08:00:30.123Z");
    private static final String ORDERS = "/v1/elections/orders";

    private final KnownElections elections = new KnownElections().set(led("orders", "pod-1", 8));
    private static final AdminKey KEY = AdminKey.of("an-admin-key-of-the-test");

    private final Elector elector = elector(AdminAccess.LOOPBACK);

    @Test
    void the_document_names_every_resource_and_method_and_no_other() throws IOException {
        var document = new ObjectMapper().readTree(get("/v1/openapi.json").body());
        var described = new LinkedHashMap<String, List<String>>();
        document.get("paths")
                .properties()
                .forEach(path -> described.put(
                        path.getKey(),
                        path.getValue().properties().stream()
                                .map(method -> method.getKey().toUpperCase(Locale.ROOT))
                                .toList()));

        assertThat(document.get("openapi").asText()).isEqualTo("3.1.0");
        assertThat(described).isEqualTo(VersionOne.ROUTES);
    }

    @Test
    void every_reference_in_the_document_resolves() throws IOException {
        var document = new ObjectMapper().readTree(get("/v1/openapi.json").body());
        var references = document.findValues("$ref");

        assertThat(references)
                .hasSizeGreaterThan(20)
                .allSatisfy(reference -> assertThat(
                                document.at(reference.asText().substring(1)).isObject())
                        .as(reference.asText())
                        .isTrue());
    }

    @Test
    void every_resource_of_the_document_is_served() {
        VersionOne.ROUTES.forEach((template, methods) -> methods.forEach(method -> {
            var path = template.replace("{name}", "orders").replace("{id}", "pod-1");
            var answer = send(elector, method, path + "?to=pod-2&id=pod-1", true, "", "");

            var status = answer instanceof ElectorResponse response ? response.status() : 200;
            // KnownElections contains no history, so a request for the history returns 404.
            assertThat(status).as(method + " " + template).isIn(path.endsWith("/history") ? 404 : 200, 200);
        }));
    }

    @Test
    void the_local_leader_reports_its_remaining_time() {
        elections.set(new ElectionView(
                "orders",
                Optional.of(new Leader("pod-1", 8)),
                8,
                CHANGED,
                CONFIRMED,
                Optional.of(Duration.ofMillis(7_250)),
                Optional.empty()));

        assertThat(get(ORDERS).body())
                .isEqualTo("{\"name\":\"orders\",\"leader\":{\"id\":\"pod-1\",\"term\":8},\"lastTerm\":8,"
                        + "\"since\":\"2026-11-21T08:00:00.250Z\",\"lastUpdate\":\"2026-11-21T08:00:09.999Z\","
                        + "\"remaining\":7250}");
        assertThat(get(ORDERS + "/am-i-leader?id=pod-1").body())
                .isEqualTo("{\"id\":\"pod-1\",\"leader\":true,\"term\":8,\"remaining\":7250}");
    }

    @Test
    void unusual_states_have_a_field() {
        elections.set(new ElectionView(
                "orders", Optional.empty(), 8, CHANGED, CONFIRMED, Optional.empty(), Optional.of("non-expiring")));

        assertThat(get(ORDERS).body()).endsWith(",\"remark\":\"non-expiring\"}");
    }

    @Test
    void the_reason_for_no_leader_is_a_code_and_a_sentence() {
        String tagBefore = get(ORDERS).headers().get("ETag");
        elections.set(unled("orders", Reason.UNHEALTHY));

        ElectorResponse answer = get(ORDERS);
        assertThat(answer.body())
                .isEqualTo("{\"name\":\"orders\",\"leader\":null,\"lastTerm\":8,"
                        + "\"since\":\"2026-11-21T08:00:00.250Z\",\"lastUpdate\":\"2026-11-21T08:00:09.999Z\","
                        + "\"noLeader\":{\"reason\":\"unhealthy\",\"sentence\":\"nobody is known to lead\"}}");
        assertThat(get("/v1/elections").body()).contains(answer.body());
        assertThat(answer.headers().get("ETag")).isNotEqualTo(tagBefore);

        String tag = answer.headers().get("ETag");
        elections.set(unled("orders", Reason.TAKING));
        assertThat(get(ORDERS).headers().get("ETag"))
                .as("a repeated request returns the new reason")
                .isNotEqualTo(tag);
    }

    @Test
    void an_election_with_a_leader_has_no_reason_for_no_leader() {
        assertThatThrownBy(() -> new ElectionView(
                        "orders",
                        Optional.of(new Leader("pod-1", 8)),
                        8,
                        CHANGED,
                        CONFIRMED,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new Explanation(Reason.TAKING, "is taking over"))))
                .hasMessage("noLeader (is taking over) must be left out: \"pod-1\" leads");
    }

    @Test
    void am_i_leader_answers_200_for_the_leader_and_409_otherwise() {
        assertThat(get(ORDERS + "/am-i-leader?id=pod-1").status()).isEqualTo(200);
        assertThat(get(ORDERS + "/am-i-leader?id=pod-2").status()).isEqualTo(409);
        assertThat(get(ORDERS + "/am-i-leader?id=pod-2").body()).isEqualTo("{\"id\":\"pod-2\",\"leader\":false}");
        assertThat(get(ORDERS + "/am-i-leader").status()).isEqualTo(400);
    }

    @Test
    void the_history_starts_with_the_latest_term() {
        elections.remember(
                "orders",
                new LeaseNotes.PastTerm(
                        7,
                        "pod-0",
                        Instant.parse("2026-11-21T07:00:00Z"),
                        Instant.parse("2026-11-21T08:00:00.1Z"),
                        LossCause.EXPIRED),
                new LeaseNotes.PastTerm(
                        6,
                        "pod-1",
                        Instant.parse("2026-11-21T06:00:00Z"),
                        Instant.parse("2026-11-21T07:00:00Z"),
                        LossCause.RESIGNED,
                        "alice",
                        "an upgrade"));

        assertThat(get(ORDERS + "/history").body())
                .isEqualTo("{\"election\":\"orders\",\"terms\":[{\"term\":7,\"holder\":\"pod-0\","
                        + "\"from\":\"2026-11-21T07:00:00Z\",\"until\":\"2026-11-21T08:00:00.100Z\",\"end\":\"expired\"},"
                        + "{\"term\":6,\"holder\":\"pod-1\","
                        + "\"from\":\"2026-11-21T06:00:00Z\",\"until\":\"2026-11-21T07:00:00Z\","
                        + "\"end\":\"resigned\",\"by\":\"alice\",\"reason\":\"an upgrade\"}]}");
    }

    @Test
    void admin_commands_are_read_from_the_query_a_form_or_json() {
        var resign =
                new AdminCommand.Resign("orders", "an upgrade", Optional.of(Duration.ofSeconds(30)), Optional.empty());

        assertThat(command("POST", "/resign?reason=an+upgrade&cooldown=30s")).isEqualTo(resign);
        assertThat(command(
                        "POST", "/resign", "application/x-www-form-urlencoded", "reason=an%20upgrade&cooldown=30000ms"))
                .isEqualTo(resign);
        assertThat(command(
                        "POST",
                        "/resign",
                        "application/json; charset=utf-8",
                        "{\"reason\":\"an upgrade\",\"cooldown\":\"30s\"}"))
                .isEqualTo(resign);
        assertThat(command("POST", "/resign"))
                .isEqualTo(new AdminCommand.Resign("orders", "", Optional.empty(), Optional.empty()));
        assertThat(command("POST", "/transfer?to=pod-2&reason=x"))
                .isEqualTo(new AdminCommand.Transfer("orders", "pod-2", "x", Optional.empty()));
        assertThat(command("POST", "/transfer?to=pod-2&wait=5s"))
                .isEqualTo(new AdminCommand.Transfer("orders", "pod-2", "", Optional.of(Duration.ofSeconds(5))));
        assertThat(command("POST", "/pause?reason=x")).isEqualTo(new AdminCommand.Pause("orders", "x"));
        assertThat(command("POST", "/resume")).isEqualTo(new AdminCommand.Resume("orders"));
        assertThat(command("GET", "/state")).isEqualTo(new AdminCommand.ReadState("orders"));
        assertThat(command("PUT", "/state", "application/octet-stream", "41"))
                .isEqualTo(new AdminCommand.SaveState("orders", SavedState.ofText("41")));
        assertThat(command("PUT", "/candidates/pod%2F1?ttl=5s"))
                .isEqualTo(new AdminCommand.Campaign("orders", "pod/1", Duration.ofSeconds(5)));
        assertThat(command("PUT", "/candidates/pod-1"))
                .isEqualTo(new AdminCommand.Campaign("orders", "pod-1", AdminCommandFields.DEFAULT_CAMPAIGN));
        assertThat(command("DELETE", "/candidates/pod-1")).isEqualTo(new AdminCommand.Withdraw("orders", "pod-1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/transfer||field to is missing",
                "/resign?cooldown=soon||cooldown (soon) must be a time from 0s to 60m, like 30s",
                "/resign?cooldown=61m||must be a time",
                "/resign?wait=61s||wait (61s) must be a time from 0s to 1m, like 30s",
                "/transfer?to=pod-2&wait=soon||wait (soon) must be a time",
                "/resign|{|not well-formed JSON",
                "/resign|[]|not a JSON object",
                "/resign|{\"reason\":7}|\"reason\" is not a string",
                "/resign|{} {}|has text after",
            })
    void invalid_values_are_rejected_with_a_sentence(String path, String body, String sentence) {
        var json = body == null ? "" : body;
        var response = (ElectorResponse) send(elector, "POST", ORDERS + path, true, "application/json", json);

        assertThat(response.status()).isEqualTo(400);
        assertThat(response.headers()).containsEntry("Content-Type", "application/problem+json");
        assertThat(response.body().replace("\\\"", "\"")).contains(sentence);
    }

    @Test
    void a_long_reason_and_an_unknown_body_type_are_rejected() {
        assertThat(refused("POST", "/resign?reason=" + "r".repeat(256), "", "").body())
                .contains("256 characters; at most 255");
        assertThat(refused("POST", "/resign", "text/xml", "<x/>").body()).contains("Content-Type (text/xml)");
        assertThat(refused("PUT", "/candidates/pod-1?ttl=999ms", "", "").body()).contains("from 1s to 60m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"resign", "transfer?to=x", "pause", "resume"})
    void admin_commands_from_other_machines_or_pages_are_rejected(String command) {
        var elsewhere = rejected(send(elector, "POST", ORDERS + "/" + command, false, "", ""));
        assertThat(elsewhere.status()).isEqualTo(403);
        assertThat(elsewhere.body()).contains("only from this machine");

        var page = ElectorRequest.of(
                "POST", ORDERS + "/" + command, Map.of("Origin", "http://localhost:4040"), true, new byte[0]);
        assertThat(rejected(elector.answer(page, NOW)).status()).isEqualTo(403);

        assertThat(send(elector(AdminAccess.ANYWHERE), "POST", ORDERS + "/" + command, false, "", ""))
                .isInstanceOf(AcceptedCommand.class);
    }

    @Test
    void read_access_is_open_to_every_client() {
        for (AdminAccess access :
                List.of(AdminAccess.REFUSED, AdminAccess.key(KEY), AdminAccess.LOOPBACK, AdminAccess.ANYWHERE)) {
            assertThat(((ElectorResponse) send(elector(access), "GET", ORDERS, false, "", "")).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_command_with_the_admin_key_is_accepted_from_any_machine_and_page() {
        var withKey = elector(AdminAccess.key(KEY));
        for (boolean fromThisMachine : new boolean[] {true, false}) {
            for (String authorization : List.of("Bearer " + KEY.text(), "bearer  " + KEY.text() + " ")) {
                var request = ElectorRequest.of(
                        "POST",
                        ORDERS + "/resign",
                        Map.of("Authorization", authorization, "Origin", "https://app.example"),
                        fromThisMachine,
                        new byte[0]);
                assertThat(withKey.answer(request, NOW)).isInstanceOf(AcceptedCommand.class);
            }
        }
    }

    @Test
    void without_the_admin_key_no_command_is_accepted_even_from_this_machine() {
        var withKey = elector(AdminAccess.key(KEY));
        for (Map<String, String> headers : List.of(
                Map.<String, String>of(),
                Map.of("Authorization", "Bearer"),
                Map.of("Authorization", KEY.text()),
                Map.of("Authorization", "Basic " + KEY.text()),
                Map.of("Authorization", "Bearer " + KEY.text() + "x"))) {
            var request = ElectorRequest.of("POST", ORDERS + "/resign", headers, true, new byte[0]);
            var response = rejected(withKey.answer(request, NOW));
            assertThat(response.status()).as(headers.toString()).isEqualTo(403);
            assertThat(response.body()).contains("Authorization: Bearer KEY").doesNotContain(KEY.text());
        }
    }

    @Test
    void an_answer_names_the_sender_and_the_command() {
        var request = ElectorRequest.of(
                        "PUT",
                        ORDERS + "/candidates/pod-1",
                        Map.of("Authorization", "Bearer " + KEY.text()),
                        false,
                        new byte[0])
                .from("192.0.2.7");
        var accepted = (AcceptedCommand) elector(AdminAccess.key(KEY)).answer(request, NOW);
        assertThat(accepted.action()).isEqualTo("campaign");
        assertThat(accepted.by()).isEqualTo(new Admin("the admin key", "192.0.2.7"));

        var rejected = (RejectedCommand) elector(AdminAccess.LOOPBACK).answer(request, NOW);
        assertThat(rejected).isEqualTo(new RejectedCommand("campaign", "orders", "192.0.2.7", rejected.reason()));
        assertThat(((AcceptedCommand) elector(AdminAccess.key(KEY)).answer(request.withAdminCertificate(true), NOW))
                        .by()
                        .name())
                .isEqualTo("a client certificate");
    }

    @Test
    void a_program_without_admin_commands_rejects_them_with_a_sentence() {
        var response = rejected(send(elector(AdminAccess.REFUSED), "POST", ORDERS + "/resign", true, "", ""));

        assertThat(response.status()).isEqualTo(403);
        assertThat(response.body()).contains("accepts no admin commands");
    }

    @Test
    void an_unsupported_method_is_rejected_with_the_allowed_methods() {
        var response = (ElectorResponse) send(elector, "PATCH", ORDERS + "/state", true, "", "");

        assertThat(response.status()).isEqualTo(405);
        assertThat(response.headers()).containsEntry("Allow", "GET, PUT, HEAD");
    }

    private Elector elector(AdminAccess adminAccess) {
        return new Elector(elections, ElectorSettings.of("orders", "s1", adminAccess));
    }

    private AdminCommand command(String method, String path) {
        return command(method, path, "", "");
    }

    private AdminCommand command(String method, String path, String type, String body) {
        return ((AcceptedCommand) sendTo(method, path, type, body)).command();
    }

    private static ElectorResponse rejected(ElectorAnswer answer) {
        return ((RejectedCommand) answer).response();
    }

    private ElectorAnswer sendTo(String method, String path, String type, String body) {
        return send(elector, method, ORDERS + path, true, type, body);
    }

    private ElectorResponse refused(String method, String path, String type, String body) {
        var response = (ElectorResponse) sendTo(method, path, type, body);
        assertThat(response.status()).isEqualTo(400);
        return response;
    }

    private ElectorResponse get(String target) {
        return (ElectorResponse) send(elector, "GET", target, true, "", "");
    }

    private static ElectorAnswer send(
            Elector elector, String method, String target, boolean loopback, String type, String body) {
        var headers = type.isEmpty() ? Map.<String, String>of() : Map.of("Content-Type", type);
        return elector.answer(
                ElectorRequest.of(method, target, headers, loopback, body.getBytes(StandardCharsets.UTF_8)), NOW);
    }
}
