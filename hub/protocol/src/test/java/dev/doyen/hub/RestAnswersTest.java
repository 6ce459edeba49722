package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.Asker.Answer;
import dev.doyen.hub.rest.Posting;
import dev.doyen.hub.rest.RestApi;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.wire.ErrorInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to any HTTP request: formats, errors, paths and origins. */
class RestAnswersTest {

    private final Stage stage = new Stage();
    private final Asker asker = new Asker(stage);

    @Test
    void the_time_is_told_to_anybody() {
        Answer answer = asker.with("Authorization", "").get("/time");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("[" + Stage.START_MILLIS + "]");
        assertThat(answer.header("Content-Type")).containsExactly("application/json");
        assertThat(answer.header("Cache-Control")).containsExactly("no-store");
    }

    @ParameterizedTest
    @CsvSource({
        "application/json,,application/json",
        "*/*,,application/json",
        "application/x-msgpack,,application/x-msgpack",
        "'application/x-msgpack,application/json',,application/x-msgpack",
        "'application/json,application/x-msgpack',,application/json",
        "APPLICATION/X-MSGPACK,,application/x-msgpack",
        "application/x-msgpack,json,application/json",
        "application/json,msgpack,application/x-msgpack",
    })
    void the_answers_type_is_as_accepted_and_has_no_charset(String accept, String format, String type) {
        String target = format == null ? "/time" : "/time?format=" + format;
        Answer answer = asker.with("Accept", accept).get(target);
        assertThat(answer.header("Content-Type")).containsExactly(type);
        assertThat(answer.tree().get(0).asLong()).isEqualTo(Stage.START_MILLIS);
    }

    @Test
    void an_error_is_in_the_body_in_the_format_asked_for_and_in_the_headers() {
        Answer json = asker.with("Authorization", "").get("/channels/x/messages");
        assertThat(json.header("X-Ably-ErrorCode")).containsExactly("40101");
        assertThat(json.header("X-Ably-ErrorMessage").get(0)).startsWith("no credentials");
        assertThat(json.tree().path("error").path("statusCode").asInt()).isEqualTo(401);
        assertThat(json.header("WWW-Authenticate"))
                .as("a new token would not help")
                .isEmpty();
        Answer msgpack = asker.with("Authorization", "")
                .with("Accept", "application/x-msgpack")
                .get("/channels/x/messages");
        assertThat(msgpack.header("Content-Type")).containsExactly("application/x-msgpack");
        assertThat(msgpack.error()).isEqualTo(json.error());
    }

    @Test
    void what_a_client_wrote_breaks_no_header() {
        Answer refused = asker.get("/channels/x/messages?limit=%0d%0aSet-Cookie%3a%20a%C3%BC");
        assertThat(refused.error()).contains("\r\nSet-Cookie: aü");
        assertThat(refused.header("X-Ably-ErrorMessage").get(0))
                .contains("??Set-Cookie: a?")
                .matches("[ -~]*");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/channels/x/nothing",
        "GET,/channels/x/messages/more",
        "DELETE,/channels/x/messages",
        "POST,/channels/x",
        "POST,/time",
        "GET,/time/",
        "GET,/push/deviceRegistrations",
        "GET,/keys/ablyjs.test/requestToken",
        "GET,/nothing",
        "GET,/",
        "GET,",
        "GET,*",
    })
    void nothing_at_a_path_is_404_in_the_clients_format(String method, String path) {
        Answer answer = asker.ask(method, path == null ? "" : path, "");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.error()).startsWith("40400/404 there is nothing at ");
        assertThat(asker.with("Accept", "application/x-msgpack")
                        .ask(method, path == null ? "" : path, "")
                        .error())
                .isEqualTo(answer.error());
    }

    @Test
    void an_old_sdk_in_a_browser_is_told_how_to_come_without_comet() {
        assertThat(asker.get("/comet/connect?format=json").error())
                .isEqualTo("40400/404 this hub has no comet transport; give the SDK the option transports:"
                        + " [\"web_socket\"]");
    }

    @ParameterizedTest
    @CsvSource({"40139,false", "40140,true", "40149,true", "40150,false"})
    void only_errors_of_tokens_carry_the_challenge(int code, boolean challenged) {
        var error = new ErrorInfo(code, 401, "why");

        var answer = new Answer(RestApi.refusal(RestRequest.of("GET", "/time", Map.of(), new byte[0]), error));

        assertThat(answer.raw().error()).isEqualTo(error);
        assertThat(answer.error()).isEqualTo(code + "/401 why");
        assertThat(answer.header("WWW-Authenticate")).hasSize(challenged ? 1 : 0);
    }

    @Test
    void requests_and_answers_are_printed_without_secrets() {
        var request = RestRequest.of(
                "POST", "/keys/a.b/requestToken?key=a.b:c", Map.of("Authorization", "Basic x"), new byte[3]);

        assertThat(request).hasToString("POST /keys/a.b/requestToken with 3 bytes");
        assertThat(RestRequest.of("GET", "?key=a.b:c", Map.of(), new byte[0])).hasToString("GET  with 0 bytes");
        assertThat(asker.get("/time").raw())
                .hasToString("200 [Header[name=Content-Type, value=application/json],"
                        + " Header[name=Cache-Control, value=no-store]] with 15 bytes");
        assertThat(new Posting("x", List.of(), "k3y", "ann")).hasToString("Posting[x, []]");
    }

    @Test
    void a_target_may_begin_with_its_query() {
        assertThat(RestRequest.of("GET", "?a=b", Map.of(), new byte[0]).query()).isEqualTo("a=b");
    }

    @Test
    void head_is_answered_like_get() {
        assertThat(asker.ask("HEAD", "/time", "").text())
                .isEqualTo(asker.get("/time").text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/time",
                "/channels",
                "/channels/x",
                "/keys/a.b/requestToken",
                "/apps",
                "/stats",
                "/comet/connect"
            })
    void the_apis_paths_are_its_own(String path) {
        assertThat(RestApi.serves(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "", "*", "/index.html", "/timer", "/channelsx", "/swarm.js", "//time"})
    void other_paths_are_not(String path) {
        assertThat(RestApi.serves(path)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "OPTIONS"})
    void a_page_of_any_origin_may_ask_and_read(String method) {
        Answer answer = asker.with("Origin", "https://app.example:8443").ask(method, "/time", "");
        assertThat(answer.header("Access-Control-Allow-Origin")).containsExactly("https://app.example:8443");
        assertThat(answer.header("Access-Control-Allow-Credentials")).containsExactly("true");
        assertThat(answer.header("Vary")).containsExactly("Origin");
        assertThat(answer.header("Access-Control-Expose-Headers").get(0))
                .contains("Link", "X-Ably-ErrorCode", "X-Ably-ErrorMessage");
    }

    @Test
    void a_browser_is_told_beforehand_which_headers_it_may_send() {
        Answer answer =
                asker.with("Origin", "null").with("Authorization", "").ask("OPTIONS", "/channels/x/messages", "");
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.raw().body()).isEmpty();
        assertThat(answer.header("Content-Type")).isEmpty();
        assertThat(answer.header("Access-Control-Allow-Headers").get(0))
                .contains("authorization", "content-type", "x-ably-version", "ably-agent", "x-ably-clientid");
        assertThat(answer.header("Access-Control-Allow-Methods").get(0)).contains("GET", "POST", "DELETE");
    }

    @Test
    void an_error_can_be_read_by_a_page_too() {
        Answer answer = asker.with("Origin", "https://a.example")
                .with("Authorization", "")
                .get("/channels/x");
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("Access-Control-Allow-Origin")).containsExactly("https://a.example");
    }

    @Test
    void without_an_origin_or_with_an_odd_one_nothing_is_said_of_origins() {
        assertThat(asker.get("/time").header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(asker.with("Origin", "a\r\nb").get("/time").header("Access-Control-Allow-Origin"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Basic !!!",
                "Basic YXBwLmtleQ==",
                "Basic YXBwLmtleTpndWVzcw==",
                "Bearer YXBwLmtleTpzZWNyZXQ=",
                "secret",
            })
    void what_is_no_key_is_refused_and_not_shown(String authorization) {
        Answer refused = asker.with("Authorization", authorization).get("/channels/x");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text()).doesNotContain("guess", "YXB");
    }

    @Test
    void entropy_must_be_enough() {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> stage.hub.requested(
                        stage.now(),
                        1,
                        dev.doyen.hub.rest.RestRequest.of("GET", "/time", java.util.Map.of(), new byte[0]),
                        "short")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("22");
    }
}
