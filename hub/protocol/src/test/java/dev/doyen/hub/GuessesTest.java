package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.Signing;
import dev.doyen.hub.ratelimit.CredentialCheck;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.RestRates;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the hub limits guesses of keys and tokens on every path. */
class GuessesTest {

    private static final String HERE = "192.0.2.1";
    private static final String THERE = "198.51.100.7";
    private static final String OTHER = "app.other:secret2";

    private final HubSettings settings = HubSettings.builder()
            .restRates(rates -> new RestRates(2, 20, 4, 40, 1_000))
            .build();
    private final Stage stage = new Stage(settings);

    private List<ProtocolMessage> connect(String address, String parameter, String credentials) {
        return stage.open(Map.of(parameter, credentials), address).take();
    }

    /** Returns the error code for these credentials, or 0 if the hub accepts them. */
    private int error(String address, String parameter, String credentials) {
        ErrorInfo error = connect(address, parameter, credentials).get(0).error();
        return error == null ? 0 : error.code();
    }

    private int guesses(String address) {
        for (int i = 0; i < 1_000; i++) {
            if (error(address, "key", "app.key:wrong" + i) == ErrorCode.RATE_LIMITED.code()) {
                return i;
            }
        }
        return 1_000;
    }

    @Test
    void guesses_on_a_socket_are_limited_and_then_valid_keys_are_rejected_too() {
        assertThat(guesses(HERE)).isEqualTo(4);
        ProtocolMessage wrong = connect(HERE, "key", "app.key:wrong").get(0);
        ProtocolMessage right = connect(HERE, "key", OTHER).get(0);
        assertThat(right).isEqualTo(wrong);
        assertThat(right.action())
                .as("SDKs reconnect after DISCONNECTED, but not after ERROR")
                .isEqualTo(Action.DISCONNECTED);
        assertThat(right.error())
                .hasToString(ErrorCode.RATE_LIMITED
                        .because(
                                "too many requests without valid credentials come from the address 192.0.2.1; at most 4"
                                        + " requests a second, and 40 at once, are allowed by HTTP, of which wrong credentials,"
                                        + " here or on a socket, count as 10; try again in 3 s")
                        .toString());
        assertThat(error(THERE, "key", OTHER))
                .as("another address is not limited")
                .isZero();
        stage.passAsleep(Duration.ofMillis(2_500));
        assertThat(guesses(HERE))
                .as("4 requests per second allow one guess in 2.5 s")
                .isEqualTo(1);
        stage.passAsleep(Duration.ofMillis(2_500));
        assertThat(error(HERE, "key", OTHER)).isZero();
    }

    @Test
    void a_known_client_of_the_address_is_accepted_during_guesses() {
        assertThat(error(HERE, "key", OTHER)).isZero();
        guesses(HERE);
        assertThat(error(HERE, "key", OTHER)).isZero();
        assertThat(error(HERE, "key", Stage.KEY))
                .as("a new client is rejected")
                .isEqualTo(ErrorCode.RATE_LIMITED.code());
    }

    @Test
    void sockets_with_valid_credentials_do_not_use_the_budget() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(error(HERE, "key", OTHER)).isZero();
        }
        assertThat(guesses(HERE)).isEqualTo(4);
    }

    @Test
    void guesses_over_http_and_sockets_share_a_budget() {
        RestClient guesser = new RestClient(stage).from(HERE).by("app.key:wrong");
        for (int i = 0; i < 3; i++) {
            assertThat(guesser.get("/channels/x/messages").status()).isEqualTo(401);
        }
        assertThat(guesses(HERE)).isEqualTo(1);
        assertThat(guesser.get("/channels/x/messages").status()).isEqualTo(429);
    }

    @Test
    void forged_tokens_are_guesses_and_expired_ones_are_not() {
        long now = Stage.START_MILLIS / 1_000;
        String times = "{\"iat\":" + (now - 60) + ",\"exp\":";
        String expired = Signing.jwtOf("app.key", times + (now - 1) + "}", "secret");
        for (int i = 0; i < 100; i++) {
            assertThat(error(HERE, "access_token", expired)).isEqualTo(ErrorCode.TOKEN_EXPIRED.code());
        }
        String forged = Signing.jwtOf("app.key", times + (now + 60) + "}", "wrong");
        for (int i = 0; i < 4; i++) {
            assertThat(error(HERE, "access_token", forged)).isEqualTo(ErrorCode.TOKEN_INVALID.code());
        }
        assertThat(error(HERE, "access_token", forged)).isEqualTo(ErrorCode.RATE_LIMITED.code());
    }

    @Test
    void guesses_at_the_console_count_and_missing_credentials_do_not() {
        for (int i = 0; i < 100; i++) {
            assertThat(stage.hub.mayAdminister(stage.now(), "", HERE)).isFalse();
        }
        assertThat(stage.hub.mayAdminister(stage.now(), basic(OTHER), HERE))
                .as("a client with a valid key is accepted")
                .isTrue();
        for (int i = 0; i < 4; i++) {
            assertThat(stage.hub.mayAdminister(stage.now(), basic("app.key:wrong"), HERE))
                    .isFalse();
        }
        assertThat(stage.hub.mayAdminister(stage.now(), basic(Stage.KEY), HERE))
                .as("a valid key is rejected after the limit")
                .isFalse();
        assertThat(stage.hub.mayAdminister(stage.now(), basic(Stage.KEY), THERE))
                .isTrue();
        assertThat(error(HERE, "key", Stage.KEY)).isEqualTo(ErrorCode.RATE_LIMITED.code());
    }

    @Test
    void guesses_at_other_ports_count() throws Refusal {
        var check = new CredentialCheck(HubKeys.of(List.of(OTHER)), settings);
        for (int i = 0; i < 4; i++) {
            assertThat(refusal(check, "app.other:wrong", HERE)).isEqualTo(ErrorCode.BAD_CREDENTIALS.code());
        }
        assertThat(refusal(check, "app.other:wrong", HERE)).isEqualTo(ErrorCode.RATE_LIMITED.code());
        assertThat(refusal(check, OTHER, HERE)).isEqualTo(ErrorCode.RATE_LIMITED.code());
        assertThat(check.ofHeader(basic(OTHER), THERE, 0, 0).keyName()).isEqualTo("app.other");
    }

    private static int refusal(CredentialCheck check, String key, String address) {
        try {
            check.ofHeader(basic(key), address, 0, 0);
            return 0;
        } catch (Refusal refusal) {
            return refusal.error().code();
        }
    }

    private static String basic(String key) {
        return "Basic " + RestClient.base64(key);
    }
}
