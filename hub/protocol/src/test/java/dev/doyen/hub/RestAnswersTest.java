package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.RestClient.Answer;
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

/** Tests the formats, errors, paths and CORS headers of the HTTP API. */
class RestAnswersTest {

    private final Stage stage = new Stage();
    private final RestClient client = new RestClient(stage);

    @Test
    void the_time_is_public() {
        Answer answer = client.with("Authorization", "").get("/time");
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
    void the_content_type_follows_accept_without_a_charset(String accept, String format, String type) {
        String target = format == null ? "/time" : "/time?format=" + format;
        Answer answer = client.with("Accept", accept).get(target);
        assertThat(answer.header("Content-Type")).containsExactly(type);
        assertThat(answer.tree().get(0).asLong()).isEqualTo(Stage.START_MILLIS);
    }

    @Test
    void an_error_is_in_the_body_and_in_the_headers() {
        Answer json = client.with("Authorization", "").get("/channels/x/messages");
        assertThat(json.header("X-Ably-ErrorCode")).containsExactly("40101");
        assertThat(json.header("X-Ably-ErrorMessage").get(0)).startsWith("no credentials");
        assertThat(json.tree().path("error").path("statusCode").asInt()).isEqualTo(401);
        assertThat(json.header("WWW-Authenticate"))
                .as("no challenge is sent, because a new token would not help")
                .isEmpty();
        Answer msgpack = client.with("Authorization", "")
                .with("Accept", "application/x-msgpack")
                .get("/channels/x/messages");
        assertThat(msgpack.header("Content-Type")).containsExactly("application/x-msgpack");
        assertThat(msgpack.error()).isEqualTo(json.error());
    }

    @Test
    void text_of_a_client_cannot_inject_a_header() {
        Answer refused = client.get("/channels/x/messages?limit=%0d%0aSet-Cookie%3a%20a%C3%BC");
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
    void an_unknown_path_is_404_in_the_format_of_the_client(String method, String path) {
        Answer answer = client.send(method, path == null ? "" : path, "");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.error()).startsWith("40400/404 there is nothing at ");
        assertThat(client.with("Accept", "application/x-msgpack")
                        .send(method, path == null ? "" : path, "")
                        .error())
                .isEqualTo(answer.error());
    }

    @Test
    void an_old_sdk_in_a_browser_gets_a_remedy_for_comet() {
        assertThat(client.get("/comet/connect?format=json").error())
                .isEqualTo("40400/404 this hub has no comet transport; give the SDK the option transports:"
                        + " [\"web_socket\"]");
    }

    @ParameterizedTest
    @CsvSource({"40139,false", "40140,true", "40149,true", "40150,false"})
    void only_token_errors_have_the_challenge(int code, boolean challenged) {
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
        assertThat(client.get("/time").raw())
                .hasToString("200 [Header[name=Content-Type, value=application/json],"
                        + " Header[name=Cache-Control, value=no-store]] with 15 bytes");
        assertThat(new Posting("x", List.of(), "k3y", "ann")).hasToString("Posting[x, []]");
    }

    @Test
    void a_target_can_start_with_its_query() {
        assertThat(RestRequest.of("GET", "?a=b", Map.of(), new byte[0]).query()).isEqualTo("a=b");
    }

    @Test
    void head_is_answered_like_get() {
        assertThat(client.send("HEAD", "/time", "").text())
                .isEqualTo(client.get("/time").text());
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
    void the_paths_of_the_api_belong_to_it(String path) {
        assertThat(RestApi.serves(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "", "*", "/index.html", "/timer", "/channelsx", "/swarm.js", "//time"})
    void other_paths_do_not_belong_to_the_api(String path) {
        assertThat(RestApi.serves(path)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "OPTIONS"})
    void a_page_of_any_origin_can_send_requests(String method) {
        Answer answer = client.with("Origin", "https://app.example:8443").send(method, "/time", "");
        assertThat(answer.header("Access-Control-Allow-Origin")).containsExactly("https://app.example:8443");
        assertThat(answer.header("Access-Control-Allow-Credentials")).containsExactly("true");
        assertThat(answer.header("Vary")).containsExactly("Origin");
        assertThat(answer.header("Access-Control-Expose-Headers").get(0))
                .contains("Link", "X-Ably-ErrorCode", "X-Ably-ErrorMessage");
    }

    @Test
    void a_preflight_request_returns_the_allowed_headers() {
        Answer answer =
                client.with("Origin", "null").with("Authorization", "").send("OPTIONS", "/channels/x/messages", "");
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.raw().body()).isEmpty();
        assertThat(answer.header("Content-Type")).isEmpty();
        assertThat(answer.header("Access-Control-Allow-Headers").get(0))
                .contains("authorization", "content-type", "x-ably-version", "ably-agent", "x-ably-clientid");
        assertThat(answer.header("Access-Control-Allow-Methods").get(0)).contains("GET", "POST", "DELETE");
    }

    @Test
    void an_error_can_be_read_by_a_page() {
        Answer answer = client.with("Origin", "https://a.example")
                .with("Authorization", "")
                .get("/channels/x");
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("Access-Control-Allow-Origin")).containsExactly("https://a.example");
    }

    @Test
    void without_a_valid_origin_no_cors_header_is_sent() {
        assertThat(client.get("/time").header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(client.with("Origin", "a\r\nb").get("/time").header("Access-Control-Allow-Origin"))
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
    void an_invalid_key_is_rejected_and_not_printed(String authorization) {
        Answer refused = client.with("Authorization", authorization).get("/channels/x");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.text()).doesNotContain("guess", "YXB");
    }

    @Test
    void entropy_must_be_sufficient() {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> stage.hub.requested(
                        stage.now(),
                        1,
                        dev.doyen.hub.rest.RestRequest.of("GET", "/time", java.util.Map.of(), new byte[0]),
                        "short")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("22");
    }
}
