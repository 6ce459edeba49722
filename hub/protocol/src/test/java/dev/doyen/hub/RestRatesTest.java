package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.RestClient.Answer;
import dev.doyen.hub.auth.Signing;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.RestRates;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the rate limits over HTTP. A caller can send 20 messages and 40 requests at once, and then 2 messages and 4
 * requests per second.
 */
class RestRatesTest {

    private static final String MESSAGES = "/channels/x/messages";
    private static final String ONE = "{\"data\":\"1\"}";
    private static final String HERE = "192.0.2.1";
    private static final String THERE = "198.51.100.9";
    private static final String OTHER = "app.other:secret2";

    private final Stage stage = new Stage(HubSettings.builder()
            .restRates(rates -> new RestRates(2, 20, 4, 40, 1_000))
            .build());
    private final RestClient client = new RestClient(stage).from(HERE);
    private final RestClient anybody = client.with("Authorization", "");

    private static String many(int messages) {
        return "[" + (ONE + ",").repeat(messages - 1) + ONE + "]";
    }

    private static int taken(int most, IntSupplier status, int good) {
        for (int i = 0; i < most; i++) {
            int received = status.getAsInt();
            if (received != good) {
                assertThat(received).isEqualTo(429);
                return i;
            }
        }
        return most;
    }

    private int publishes(RestClient by) {
        return taken(1_000, () -> by.post(MESSAGES, ONE).status(), 201);
    }

    private int reads(RestClient by) {
        return taken(1_000, () -> by.get(MESSAGES).status(), 200);
    }

    /** Returns the number of wrong secrets that the client can send before the hub limits the client's rate. */
    private int guesses(RestClient from) {
        RestClient guesser = from.by("app.key:wrong");
        return taken(1_000, () -> guesser.get(MESSAGES).status(), 401);
    }

    private String token(String body) {
        return client.by(OTHER)
                .post("/keys/app.other/requestToken", body)
                .tree()
                .path("token")
                .asText();
    }

    @Test
    void a_client_above_the_rate_gets_a_reason_and_a_retry_time() {
        assertThat(publishes(client)).isEqualTo(20);
        Answer refused = client.with("Origin", "https://page.example").post(MESSAGES, ONE);
        assertThat(refused.error())
                .isEqualTo("42911/429 the key \"app.key\" publishes too fast; at most 2 messages a second, and 20 at"
                        + " once, are allowed by HTTP; try again in 1 s");
        assertThat(refused.header("Retry-After")).containsExactly("1");
        assertThat(refused.header("X-Ably-ErrorCode")).containsExactly("42911");
        assertThat(refused.header("Access-Control-Expose-Headers").get(0)).contains("Retry-After");
        assertThat(client.get(MESSAGES + "?limit=1000").each("data")).hasSize(20);
        stage.passAsleep(Duration.ofSeconds(1));
        assertThat(publishes(client)).as("two messages per second are allowed").isEqualTo(2);
        stage.passAsleep(Duration.ofHours(1));
        assertThat(publishes(client)).as("the burst limit is never exceeded").isEqualTo(20);
    }

    @Test
    void a_rejection_in_msgpack_has_the_same_reason() {
        publishes(client);
        Answer refused = client.with("Accept", "application/x-msgpack").post(MESSAGES, ONE);
        assertThat(refused.header("Content-Type")).containsExactly("application/x-msgpack");
        assertThat(refused.error()).startsWith("42911/429 the key");
    }

    @Test
    void messages_are_counted_and_a_body_is_accepted_or_rejected_as_a_whole() {
        assertThat(client.post(MESSAGES, many(15)).status()).isEqualTo(201);
        Answer refused = client.post(MESSAGES, many(15));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After"))
                .as("10 missing messages take 5 s")
                .containsExactly("5");
        assertThat(client.get(MESSAGES).each("data")).hasSize(15);
        for (int i = 0; i < 30; i++) {
            assertThat(client.post(MESSAGES, many(15)).header("Retry-After")).containsExactly("5");
        }
        stage.passAsleep(Duration.ofSeconds(5));
        assertThat(client.post(MESSAGES, many(15)).status())
                .as("rejected requests do not use the budget")
                .isEqualTo(201);
    }

    @Test
    void the_announced_wait_is_sufficient() {
        client.post(MESSAGES, many(20));
        Answer refused = client.post(MESSAGES, ONE);
        stage.passAsleep(
                Duration.ofSeconds(Long.parseLong(refused.header("Retry-After").get(0))));
        assertThat(client.post(MESSAGES, ONE).status()).isEqualTo(201);
    }

    @Test
    void a_body_above_the_burst_limit_is_always_rejected() {
        assertThat(client.post(MESSAGES, many(21)).error())
                .isEqualTo("40000/400 the request publishes 21 messages, counted for each channel; at most 20 at once"
                        + " are allowed, so send them in several requests");
    }

    @Test
    void a_batch_counts_each_message_on_each_channel() {
        String batch = "{\"channels\":[\"x\",\"y\",\"z\"],\"messages\":" + many(5) + "}";
        assertThat(client.post("/messages", batch).status()).isEqualTo(201);
        assertThat(client.post("/messages", batch).status()).isEqualTo(429);
        assertThat(client.get("/channels/y/messages").each("data")).hasSize(5);
        assertThat(client.post("/messages", "[" + batch + "," + batch + "]").error())
                .startsWith("40000/400 the request publishes 30 messages");
    }

    @Test
    void unreadable_bodies_are_counted() {
        assertThat(taken(1_000, () -> client.post(MESSAGES, "{").status(), 400)).isEqualTo(20);
    }

    @Test
    void publishes_and_requests_have_separate_rates() {
        publishes(client);
        assertThat(reads(client)).isEqualTo(40);
        Answer refused = client.get("/channels");
        assertThat(refused.error())
                .startsWith("42911/429 the key \"app.key\" asks too fast; at most 4 requests a second, and 40 at once");
        stage.passAsleep(Duration.ofSeconds(1));
        assertThat(reads(client)).isEqualTo(4);
    }

    @Test
    void callers_have_separate_rates_and_a_key_is_one_caller() {
        publishes(client);
        reads(client);
        assertThat(client.from(THERE).post(MESSAGES, ONE).status()).isEqualTo(429);
        RestClient other = client.by(OTHER);
        assertThat(publishes(other)).isEqualTo(20);
        assertThat(reads(other)).isEqualTo(40);
        assertThat(anybody.get("/time").status()).isEqualTo(200);
    }

    @Test
    void tokens_of_one_client_share_a_rate_and_anonymous_tokens_do_not() {
        RestClient ann = client.with("Authorization", "Bearer " + token("{\"clientId\":\"ann\"}"));
        stage.passAsleep(Duration.ofSeconds(1));
        RestClient again = client.with("Authorization", "Bearer " + token("{\"clientId\":\"ann\"}"));
        RestClient ben = client.with("Authorization", "Bearer " + token("{\"clientId\":\"ben\"}"));
        assertThat(publishes(ann)).isEqualTo(20);
        assertThat(again.post(MESSAGES, ONE).error())
                .startsWith("42911/429 the client \"ann\" of the key \"app.other\" publishes too fast");
        assertThat(publishes(ben)).isEqualTo(20);
        String one = token("{}");
        stage.passAsleep(Duration.ofSeconds(1));
        String two = token("{}");
        assertThat(publishes(client.with("Authorization", "Bearer " + one))).isEqualTo(20);
        assertThat(publishes(client.with("Authorization", "Bearer " + two))).isEqualTo(20);
        assertThat(publishes(client.by(OTHER)))
                .as("the key of the tokens has its own rate")
                .isEqualTo(20);
        for (String spelled :
                new String[] {"bearer  " + one, "BEARER " + RestClient.base64(one), "Bearer " + one + " "}) {
            assertThat(client.with("Authorization", spelled).post(MESSAGES, ONE).error())
                    .startsWith("42911/429 this token of the key");
        }
    }

    @Test
    void without_credentials_the_address_is_the_caller() {
        assertThat(taken(1_000, () -> anybody.get("/time").status(), 200)).isEqualTo(40);
        Answer refused = anybody.get("/nothing");
        assertThat(refused.error())
                .isEqualTo("42911/429 too many requests without valid credentials come from the address 192.0.2.1; at"
                        + " most 4 requests a second, and 40 at once, are allowed by HTTP, of which wrong credentials,"
                        + " here or on a socket, count as 10; try again in 1 s");
        assertThat(anybody.from(THERE).get("/time").status()).isEqualTo(200);
        assertThat(anybody.with("Origin", "https://page.example")
                        .with("Access-Control-Request-Method", "POST")
                        .send("OPTIONS", MESSAGES, "")
                        .status())
                .as("a preflight request is answered")
                .isEqualTo(204);
    }

    @Test
    void guesses_are_limited_and_then_valid_credentials_are_rejected_too() {
        assertThat(guesses(client)).isEqualTo(4);
        Answer wrong = client.by("app.key:wrong").get(MESSAGES);
        Answer right = client.get(MESSAGES);
        assertThat(right.status()).isEqualTo(429);
        assertThat(right.error()).isEqualTo(wrong.error());
        assertThat(right.header("Retry-After"))
                .isEqualTo(wrong.header("Retry-After"))
                .containsExactly("3");
        assertThat(client.from(THERE).get(MESSAGES).status())
                .as("another address is not limited")
                .isEqualTo(200);
        stage.passAsleep(Duration.ofMillis(2_500));
        assertThat(guesses(client))
                .as("4 requests per second allow one guess in 2.5 s")
                .isEqualTo(1);
    }

    @Test
    void a_known_client_of_the_address_is_accepted_during_guesses() {
        assertThat(client.get(MESSAGES).status()).isEqualTo(200);
        guesses(client);
        assertThat(client.get(MESSAGES).status()).isEqualTo(200);
        assertThat(client.post(MESSAGES, ONE).status()).isEqualTo(201);
        assertThat(client.by(OTHER).get(MESSAGES).status())
                .as("a new client is rejected")
                .isEqualTo(429);
    }

    @Test
    void valid_credentials_do_not_use_the_budget_of_their_address() {
        reads(client);
        assertThat(guesses(client)).isEqualTo(4);
    }

    @Test
    void guessed_tokens_and_signatures_are_counted() {
        String forged = Signing.jwtOf("app.key", "{\"iat\":1700000000,\"exp\":1700003600}", "wrong");
        RestClient forger = client.with("Authorization", "Bearer " + forged);
        assertThat(taken(1_000, () -> forger.get(MESSAGES).status(), 401)).isEqualTo(4);
        RestClient signer = anybody.from(THERE);
        String signed = "{\"keyName\":\"app.key\",\"timestamp\":" + Stage.START_MILLIS
                + ",\"nonce\":\"abcdefghijklmnop\",\"mac\":\"AAAA\"}";
        assertThat(taken(
                        1_000,
                        () -> signer.post("/keys/app.key/requestToken", signed).status(),
                        401))
                .isEqualTo(4);
        stage.passAsleep(Duration.ofSeconds(1));
        assertThat(signer.post("/keys/app.key/requestToken", signed).error())
                .as("the budget is sufficient for a request, but not for a guess")
                .startsWith("42911/429 too many requests without valid credentials");
        stage.passAsleep(Duration.ofMillis(1_750));
        assertThat(signer.post("/keys/app.key/requestToken", signed).status()).isEqualTo(401);
        RestClient known = client.by(OTHER).from("203.0.113.5");
        assertThat(taken(
                        1_000,
                        () -> known.post("/keys/app.key/requestToken", signed).status(),
                        401))
                .as("guesses of a client with its own valid key are limited too")
                .isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/time", "/nothing"})
    void invalid_credentials_are_counted_on_public_paths(String path) {
        RestClient guesser = client.by("app.key:wrong");
        int good = path.equals("/time") ? 200 : 404;
        assertThat(taken(1_000, () -> guesser.get(path).status(), good)).isEqualTo(4);
    }

    @Test
    void an_expired_token_counts_as_a_request_of_its_address() {
        String expired = Signing.jwtOf("app.key", "{\"iat\":1600000000,\"exp\":1600003600}", "secret");
        RestClient late = client.with("Authorization", "Bearer " + expired);
        assertThat(taken(1_000, () -> late.get(MESSAGES).status(), 401)).isEqualTo(40);
    }
}
