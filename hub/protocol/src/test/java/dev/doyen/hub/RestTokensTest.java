package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.Asker.Answer;
import dev.doyen.hub.request.Revoking;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.AuthDetails;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Issuing and revoking tokens over HTTP. */
class RestTokensTest {

    private static final String ASK = "/keys/app.key/requestToken";
    private static final String REVOKE = "/keys/app.key/revokeTokens";

    private final Stage stage = new Stage();
    private final Asker asker = new Asker(stage);

    @Test
    void a_token_is_told_with_all_that_an_sdk_needs_and_is_good() {
        Answer answer = asker.post(
                ASK, "{\"ttl\":60000,\"clientId\":\"ann\",\"capability\":\"{\\\"x\\\":[\\\"publish\\\"]}\"}");

        assertThat(answer.status()).isEqualTo(201);
        JsonNode details = answer.tree();
        assertThat(details.path("keyName").asText()).isEqualTo("app.key");
        assertThat(details.path("issued").asLong()).isEqualTo(Stage.START_MILLIS);
        assertThat(details.path("expires").asLong()).isEqualTo(Stage.START_MILLIS + 60_000);
        assertThat(details.path("capability").asText()).isEqualTo("{\"x\":[\"publish\"]}");
        assertThat(details.path("clientId").asText()).isEqualTo("ann");

        Player ann = stage.open(Map.of("access_token", details.path("token").asText()));
        assertThat(ann.takeOnly().connectionDetails().clientId()).isEqualTo("ann");
        Asker bearer = asker.with(
                "Authorization", "Bearer " + Asker.base64(details.path("token").asText()));
        assertThat(bearer.post("/channels/x/messages", "{\"data\":\"1\"}").status())
                .isEqualTo(201);
        assertThat(bearer.get("/channels/x/messages").error())
                .isEqualTo("40160/401 this token of the key \"app.key\" does not allow history on channel \"x\"");
    }

    @Test
    void without_key_or_signature_nobody_gets_one() {
        assertThat(asker.with("Authorization", "").post(ASK, "{}").error())
                .startsWith("40101/401 the token request has no mac");
        assertThat(asker.post("/keys/app.other/requestToken", "{}").error())
                .startsWith("40101/401 the token request has no mac");
        assertThat(asker.post("/keys/app.nobody/requestToken", "{}").error())
                .isEqualTo("40400/401 there is no key \"app.nobody\" on this hub");
        assertThat(asker.get(ASK).status()).isEqualTo(404);
    }

    @Test
    void an_expired_token_is_refused_with_the_challenge_that_makes_sdks_ask_anew() {
        String token = asker.post(ASK, "{\"ttl\":1000}").tree().path("token").asText();
        stage.pass(Duration.ofSeconds(1));

        Answer answer = asker.with("Authorization", "Bearer " + token).get("/channels/x/messages");

        assertThat(answer.error()).isEqualTo("40142/401 the token expired 0 ms ago; ask for another");
        assertThat(answer.header("WWW-Authenticate")).containsExactly("X-Ably-Token realm=\"doyen\", stale=\"true\"");
    }

    @Test
    void who_was_revoked_is_disconnected_at_once_and_nobody_else() {
        Player ann = connected("ann");
        Player ben = connected("ben");

        Answer answer = asker.post(REVOKE, "{\"targets\":[\"clientId:ann\",\"nonsense\"]}");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.tree().path("successCount").asInt()).isEqualTo(1);
        assertThat(answer.tree().path("failureCount").asInt()).isEqualTo(1);
        assertThat(answer.tree().at("/results/0/issuedBefore").asLong()).isEqualTo(Stage.START_MILLIS + 1);
        assertThat(answer.tree().at("/results/0/appliesAt").asLong()).isEqualTo(Stage.START_MILLIS);
        assertThat(answer.tree().at("/results/1/error/message").asText())
                .isEqualTo("the target \"nonsense\" is not known; write clientId:NAME or revocationKey:NAME");
        assertThat(ann.heard()).containsExactly("DISCONNECTED 40141/401 the token was revoked");
        assertThat(ann.open).isFalse();
        assertThat(ben.heard()).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(connected("ann").open).as("with a token issued since").isTrue();
    }

    @Test
    void with_a_margin_who_was_revoked_is_asked_for_another_token_and_has_half_a_minute_for_it() {
        Player ann = connected("ann");
        Player anna = connected("ann");
        Player ben = connected("ben");

        Answer answer = asker.post(REVOKE, "{\"targets\":[\"clientId:ann\"],\"allowReauthMargin\":true}");

        assertThat(answer.tree().at("/results/0/issuedBefore").asLong()).isEqualTo(Stage.START_MILLIS + 1);
        assertThat(answer.tree().at("/results/0/appliesAt").asLong()).isEqualTo(Stage.START_MILLIS + 30_000);
        assertThat(ann.heard()).containsExactly("AUTH");
        assertThat(anna.heard()).containsExactly("AUTH");
        stage.pass(Duration.ofMillis(1));
        anna.send(ProtocolMessage.builder(Action.AUTH)
                .auth(new AuthDetails(token("ann")))
                .build());
        anna.take();
        stage.pass(Duration.ofMillis(29_998));
        assertThat(ann.open).isTrue();
        stage.pass(Duration.ofMillis(1));
        assertThat(ann.heard()).contains("DISCONNECTED 40141/401 the token was revoked");
        assertThat(anna.open).as("with a token issued since").isTrue();
        assertThat(ben.heard()).doesNotContain("AUTH");
        assertThat(ben.open).isTrue();
        assertThat(asker.post(REVOKE, "{\"targets\":[\"clientId:a\"],\"allowReauthMargin\":\"x\"}")
                        .error())
                .startsWith("40003/400 allowReauthMargin is ");
    }

    @Test
    void a_token_issued_at_the_very_time_of_a_revocation_is_not_revoked() {
        Player ann = connected("ann");
        String revoke =
                "{\"targets\":[\"clientId:ann\"],\"issuedBefore\":" + Stage.START_MILLIS + ",\"allowReauthMargin\":";

        assertThat(asker.post(REVOKE, revoke + "true}")
                        .tree()
                        .path("successCount")
                        .asInt())
                .isEqualTo(1);
        assertThat(ann.heard()).isEmpty();
        asker.post(REVOKE, revoke + "false}");
        assertThat(ann.heard()).isEmpty();
        assertThat(ann.open).isTrue();
    }

    @Test
    void so_many_revocations_may_wait_and_then_there_is_room_again() {
        String one = "{\"targets\":[\"clientId:ann\"],\"allowReauthMargin\":true}";
        for (int each = 0; each < Revoking.MAX_WAITING; each++) {
            assertThat(asker.post(REVOKE, one).tree().path("successCount").asInt())
                    .isEqualTo(1);
        }
        assertThat(asker.post(REVOKE, one).tree().at("/results/0/error/message").asText())
                .isEqualTo("the hub has 1000 revocations that wait, its limit; revoke without allowReauthMargin, or try"
                        + " again later");
        stage.pass(Duration.ofSeconds(30));
        assertThat(asker.post(REVOKE, one).tree().path("successCount").asInt()).isEqualTo(1);
    }

    @Test
    void a_revocation_that_the_hub_has_no_room_for_after_its_margin_ends_the_connections_all_the_same() {
        Player ann = connected("ann");
        asker.post(REVOKE, "{\"targets\":[\"clientId:ann\"],\"allowReauthMargin\":true}");
        for (int i = 0; i < 100; i++) {
            int hundred = 100 * i;
            String targets = IntStream.range(hundred, hundred + 100)
                    .mapToObj(each -> "\"clientId:other" + each + "\"")
                    .collect(Collectors.joining(","));
            assertThat(asker.post(REVOKE, "{\"targets\":[" + targets + "]}")
                            .tree()
                            .path("successCount")
                            .asInt())
                    .isEqualTo(100);
        }
        String refused = asker.post(REVOKE, "{\"targets\":[\"clientId:one-more\"]}")
                .tree()
                .at("/results/0/error/message")
                .asText();
        assertThat(refused).startsWith("the hub remembers 10000 revocations, its limit");
        assertThat(ann.heard()).containsExactly("AUTH");

        stage.pass(Revoking.MARGIN);

        assertThat(ann.heard()).contains("DISCONNECTED 40141/401 the token was revoked");
        assertThat(ann.open).isFalse();
    }

    @Test
    void only_the_key_itself_revokes_and_only_what_makes_sense() {
        String token = asker.post(ASK, "{}").tree().path("token").asText();
        assertThat(asker.with("Authorization", "Bearer " + token)
                        .post(REVOKE, "{\"targets\":[\"clientId:ann\"]}")
                        .error())
                .isEqualTo("40101/401 only the key \"app.key\" itself may revoke its tokens; send it as Basic");
        assertThat(asker.post(REVOKE, "{}").error()).startsWith("40000/400 targets must be a list of 1 to 100");
        String targets = "\"clientId:a\",".repeat(99) + "\"clientId:a\"";
        assertThat(asker.post(REVOKE, "{\"targets\":[" + targets + "]}")
                        .tree()
                        .path("successCount")
                        .asInt())
                .isEqualTo(100);
        assertThat(asker.post(REVOKE, "{\"targets\":[" + targets + ",\"clientId:a\"]}")
                        .error())
                .startsWith("40000/400 targets must be a list of 1 to 100");
        assertThat(asker.post(REVOKE, "{\"targets\":[\"clientId:a\"],\"issuedBefore\":\"x\"}")
                        .error())
                .startsWith("40003/400 issuedBefore is ");
        assertThat(asker.post(REVOKE, "{\"targets\":[\"clientId:a\"],\"issuedBefore\":-1}")
                        .error())
                .startsWith("40003/400 issuedBefore is ");
        assertThat(asker.post(REVOKE, "{\"targets\":[\"clientId:a\"],\"issuedBefore\":0}")
                        .tree()
                        .path("successCount")
                        .asInt())
                .isEqualTo(1);
        assertThat(asker.post(
                                REVOKE,
                                "{\"targets\":[\"clientId:a\"],\"issuedBefore\":" + (Stage.START_MILLIS + 5) + "}")
                        .tree()
                        .at("/results/0/error/code")
                        .asInt())
                .isEqualTo(40003);
    }

    private Player connected(String clientId) {
        Player player = stage.open(Map.of("access_token", token(clientId)));
        player.take();
        return player;
    }

    private String token(String clientId) {
        return asker.post(ASK, "{\"clientId\":\"" + clientId + "\"}")
                .tree()
                .path("token")
                .asText();
    }
}
