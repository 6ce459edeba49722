package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.Asker.Answer;
import dev.doyen.hub.auth.Signing;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.RestRates;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rate limits over HTTP, per caller. Here 20 messages and 40 requests at once, and 2 and 4 per second. */
class RestRatesTest {

    private static final String MESSAGES = "/channels/x/messages";
    private static final String ONE = "{\"data\":\"1\"}";
    private static final String HERE = "192.0.2.1";
    private static final String THERE = "198.51.100.9";
    private static final String OTHER = "app.other:secret2";

    private final Stage stage = new Stage(HubSettings.builder()
            .restRates(rates -> new RestRates(2, 20, 4, 40, 1_000))
            .build());
    private final Asker asker = new Asker(stage).from(HERE);
    private final Asker anybody = asker.with("Authorization", "");

    private static String many(int messages) {
        return "[" + (ONE + ",").repeat(messages - 1) + ONE + "]";
    }

    private static int taken(int most, IntSupplier status, int good) {
        for (int i = 0; i < most; i++) {
            int heard = status.getAsInt();
            if (heard != good) {
                assertThat(heard).isEqualTo(429);
                return i;
            }
        }
        return most;
    }

    private int publishes(Asker by) {
        return taken(1_000, () -> by.post(MESSAGES, ONE).status(), 201);
    }

    private int reads(Asker by) {
        return taken(1_000, () -> by.get(MESSAGES).status(), 200);
    }

    /** Returns how many wrong secrets the client can try. */
    private int guesses(Asker from) {
        Asker guesser = from.by("app.key:wrong");
        return taken(1_000, () -> guesser.get(MESSAGES).status(), 401);
    }

    private String token(String wanted) {
        return asker.by(OTHER)
                .post("/keys/app.other/requestToken", wanted)
                .tree()
                .path("token")
                .asText();
    }

    @Test
    void who_publishes_too_fast_is_told_why_how_long_to_wait_and_may_then_go_on() {
        assertThat(publishes(asker)).isEqualTo(20);
        Answer refused = asker.with("Origin", "https://page.example").post(MESSAGES, ONE);
        assertThat(refused.error())
                .isEqualTo("42911/429 the key \"app.key\" publishes too fast; at most 2 messages a second, and 20 at"
                        + " once, are taken by HTTP; try again in 1 s");
        assertThat(refused.header("Retry-After")).containsExactly("1");
        assertThat(refused.header("X-Ably-ErrorCode")).containsExactly("42911");
        assertThat(refused.header("Access-Control-Expose-Headers").get(0)).contains("Retry-After");
        assertThat(asker.get(MESSAGES + "?limit=1000").each("data")).hasSize(20);
        stage.passAsleep(Duration.ofSeconds(1));
        assertThat(publishes(asker)).as("two a second").isEqualTo(2);
        stage.passAsleep(Duration.ofHours(1));
        assertThat(publishes(asker)).as("no more than at once").isEqualTo(20);
    }

    @Test
    void msgpack_hears_the_same() {
        publishes(asker);
        Answer refused = asker.with("Accept", "application/x-msgpack").post(MESSAGES, ONE);
        assertThat(refused.header("Content-Type")).containsExactly("application/x-msgpack");
        assertThat(refused.error()).startsWith("42911/429 the key");
    }

    @Test
    void messages_count_not_requests_and_all_of_a_body_or_none() {
        assertThat(asker.post(MESSAGES, many(15)).status()).isEqualTo(201);
        Answer refused = asker.post(MESSAGES, many(15));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).as("5 are left").containsExactly("5");
        assertThat(asker.get(MESSAGES).each("data")).hasSize(15);
        for (int i = 0; i < 30; i++) {
            assertThat(asker.post(MESSAGES, many(15)).header("Retry-After")).containsExactly("5");
        }
        stage.passAsleep(Duration.ofSeconds(5));
        assertThat(asker.post(MESSAGES, many(15)).status())
                .as("what was refused has cost nothing")
                .isEqualTo(201);
    }

    @Test
    void the_wait_that_is_said_is_enough() {
        asker.post(MESSAGES, many(20));
        Answer refused = asker.post(MESSAGES, ONE);
        stage.passAsleep(
                Duration.ofSeconds(Long.parseLong(refused.header("Retry-After").get(0))));
        assertThat(asker.post(MESSAGES, ONE).status()).isEqualTo(201);
    }

    @Test
    void what_is_more_than_ever_may_come_at_once_is_refused_for_good() {
        assertThat(asker.post(MESSAGES, many(21)).error())
                .isEqualTo("40000/400 the request publishes 21 messages, each channel's counted; at most 20 at once are"
                        + " taken, so send them in several requests");
    }

    @Test
    void a_batch_counts_each_message_on_each_channel() {
        String batch = "{\"channels\":[\"x\",\"y\",\"z\"],\"messages\":" + many(5) + "}";
        assertThat(asker.post("/messages", batch).status()).isEqualTo(201);
        assertThat(asker.post("/messages", batch).status()).isEqualTo(429);
        assertThat(asker.get("/channels/y/messages").each("data")).hasSize(5);
        assertThat(asker.post("/messages", "[" + batch + "," + batch + "]").error())
                .startsWith("40000/400 the request publishes 30 messages");
    }

    @Test
    void what_cannot_be_read_counts_as_well() {
        assertThat(taken(1_000, () -> asker.post(MESSAGES, "{").status(), 400)).isEqualTo(20);
    }

    @Test
    void to_publish_and_to_ask_are_counted_apart() {
        publishes(asker);
        assertThat(reads(asker)).isEqualTo(40);
        Answer refused = asker.get("/channels");
        assertThat(refused.error())
                .startsWith("42911/429 the key \"app.key\" asks too fast; at most 4 requests a second, and 40 at once");
        stage.passAsleep(Duration.ofSeconds(1));
        assertThat(reads(asker)).isEqualTo(4);
    }

    @Test
    void one_caller_takes_nothing_from_another_and_a_key_is_one_wherever_it_asks_from() {
        publishes(asker);
        reads(asker);
        assertThat(asker.from(THERE).post(MESSAGES, ONE).status()).isEqualTo(429);
        Asker other = asker.by(OTHER);
        assertThat(publishes(other)).isEqualTo(20);
        assertThat(reads(other)).isEqualTo(40);
        assertThat(anybody.get("/time").status()).isEqualTo(200);
    }

    @Test
    void tokens_of_one_client_are_one_caller_and_those_of_nobody_each_its_own() {
        Asker ann = asker.with("Authorization", "Bearer " + token("{\"clientId\":\"ann\"}"));
        stage.passAsleep(Duration.ofSeconds(1));
        Asker again = asker.with("Authorization", "Bearer " + token("{\"clientId\":\"ann\"}"));
        Asker ben = asker.with("Authorization", "Bearer " + token("{\"clientId\":\"ben\"}"));
        assertThat(publishes(ann)).isEqualTo(20);
        assertThat(again.post(MESSAGES, ONE).error())
                .startsWith("42911/429 the client \"ann\" of the key \"app.other\" publishes too fast");
        assertThat(publishes(ben)).isEqualTo(20);
        String one = token("{}");
        stage.passAsleep(Duration.ofSeconds(1));
        String two = token("{}");
        assertThat(publishes(asker.with("Authorization", "Bearer " + one))).isEqualTo(20);
        assertThat(publishes(asker.with("Authorization", "Bearer " + two))).isEqualTo(20);
        assertThat(publishes(asker.by(OTHER))).as("their key").isEqualTo(20);
        for (String spelled : new String[] {"bearer  " + one, "BEARER " + Asker.base64(one), "Bearer " + one + " "}) {
            assertThat(asker.with("Authorization", spelled).post(MESSAGES, ONE).error())
                    .startsWith("42911/429 this token of the key");
        }
    }

    @Test
    void without_credentials_an_address_counts() {
        assertThat(taken(1_000, () -> anybody.get("/time").status(), 200)).isEqualTo(40);
        Answer refused = anybody.get("/nothing");
        assertThat(refused.error())
                .isEqualTo("42911/429 too many requests without good credentials come from the address 192.0.2.1; at"
                        + " most 4 requests a second, and 40 at once, are taken by HTTP, of which wrong credentials,"
                        + " here or on a socket, count as 10; try again in 1 s");
        assertThat(anybody.from(THERE).get("/time").status()).isEqualTo(200);
        assertThat(anybody.with("Origin", "https://page.example")
                        .with("Access-Control-Request-Method", "POST")
                        .ask("OPTIONS", MESSAGES, "")
                        .status())
                .as("a browser that asks first")
                .isEqualTo(204);
    }

    @Test
    void guesses_are_few_and_then_a_right_one_is_not_told_from_a_wrong_one() {
        assertThat(guesses(asker)).isEqualTo(4);
        Answer wrong = asker.by("app.key:wrong").get(MESSAGES);
        Answer right = asker.get(MESSAGES);
        assertThat(right.status()).isEqualTo(429);
        assertThat(right.error()).isEqualTo(wrong.error());
        assertThat(right.header("Retry-After"))
                .isEqualTo(wrong.header("Retry-After"))
                .containsExactly("3");
        assertThat(asker.from(THERE).get(MESSAGES).status()).as("elsewhere").isEqualTo(200);
        stage.passAsleep(Duration.ofMillis(2_500));
        assertThat(guesses(asker))
                .as("4 requests a second are a guess in 2.5 s")
                .isEqualTo(1);
    }

    @Test
    void who_was_seen_there_before_goes_on_while_others_guess() {
        assertThat(asker.get(MESSAGES).status()).isEqualTo(200);
        guesses(asker);
        assertThat(asker.get(MESSAGES).status()).isEqualTo(200);
        assertThat(asker.post(MESSAGES, ONE).status()).isEqualTo(201);
        assertThat(asker.by(OTHER).get(MESSAGES).status()).as("a newcomer").isEqualTo(429);
    }

    @Test
    void good_credentials_take_nothing_from_their_address() {
        reads(asker);
        assertThat(guesses(asker)).isEqualTo(4);
    }

    @Test
    void guessed_tokens_and_signatures_count_too() {
        String forged = Signing.jwtOf("app.key", "{\"iat\":1700000000,\"exp\":1700003600}", "wrong");
        Asker forger = asker.with("Authorization", "Bearer " + forged);
        assertThat(taken(1_000, () -> forger.get(MESSAGES).status(), 401)).isEqualTo(4);
        Asker signer = anybody.from(THERE);
        String signed = "{\"keyName\":\"app.key\",\"timestamp\":" + Stage.START_MILLIS
                + ",\"nonce\":\"abcdefghijklmnop\",\"mac\":\"AAAA\"}";
        assertThat(taken(
                        1_000,
                        () -> signer.post("/keys/app.key/requestToken", signed).status(),
                        401))
                .isEqualTo(4);
        stage.passAsleep(Duration.ofSeconds(1));
        assertThat(signer.post("/keys/app.key/requestToken", signed).error())
                .as("enough for a request, not for a guess")
                .startsWith("42911/429 too many requests without good credentials");
        stage.passAsleep(Duration.ofMillis(1_750));
        assertThat(signer.post("/keys/app.key/requestToken", signed).status()).isEqualTo(401);
        Asker known = asker.by(OTHER).from("203.0.113.5");
        assertThat(taken(
                        1_000,
                        () -> known.post("/keys/app.key/requestToken", signed).status(),
                        401))
                .as("by who has a key of his own")
                .isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/time", "/nothing"})
    void also_where_no_credentials_are_needed_bad_ones_count(String path) {
        Asker guesser = asker.by("app.key:wrong");
        int good = path.equals("/time") ? 200 : 404;
        assertThat(taken(1_000, () -> guesser.get(path).status(), good)).isEqualTo(4);
    }

    @Test
    void a_token_that_was_good_once_counts_as_a_request_of_its_address() {
        String expired = Signing.jwtOf("app.key", "{\"iat\":1600000000,\"exp\":1600003600}", "secret");
        Asker late = asker.with("Authorization", "Bearer " + expired);
        assertThat(taken(1_000, () -> late.get(MESSAGES).status(), 401)).isEqualTo(40);
    }
}
