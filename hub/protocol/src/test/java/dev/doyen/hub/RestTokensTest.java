package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.RestClient.Answer;
import dev.doyen.hub.auth.Revocation;
import dev.doyen.hub.request.Revoking;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.AuthDetails;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how tokens are issued and revoked over HTTP. */
class RestTokensTest {

    private static final String REQUEST = "/keys/app.key/requestToken";
    private static final String REVOKE = "/keys/app.key/revokeTokens";

    private final Stage stage = new Stage();
    private final RestClient client = new RestClient(stage);

    @Test
    void a_token_response_has_all_fields_that_an_sdk_needs() {
        Answer answer = client.post(
                REQUEST, "{\"ttl\":60000,\"clientId\":\"ann\",\"capability\":\"{\\\"x\\\":[\\\"publish\\\"]}\"}");

        assertThat(answer.status()).isEqualTo(201);
        JsonNode details = answer.tree();
        assertThat(details.path("keyName").asText()).isEqualTo("app.key");
        assertThat(details.path("issued").asLong()).isEqualTo(Stage.START_MILLIS);
        assertThat(details.path("expires").asLong()).isEqualTo(Stage.START_MILLIS + 60_000);
        assertThat(details.path("capability").asText()).isEqualTo("{\"x\":[\"publish\"]}");
        assertThat(details.path("clientId").asText()).isEqualTo("ann");

        Player ann = stage.open(Map.of("access_token", details.path("token").asText()));
        assertThat(ann.takeOnly().connectionDetails().clientId()).isEqualTo("ann");
        RestClient bearer = client.with(
                "Authorization",
                "Bearer " + RestClient.base64(details.path("token").asText()));
        assertThat(bearer.post("/channels/x/messages", "{\"data\":\"1\"}").status())
                .isEqualTo(201);
        assertThat(bearer.get("/channels/x/messages").error())
                .isEqualTo("40160/401 this token of the key \"app.key\" does not allow history on channel \"x\"");
    }

    @Test
    void without_key_or_signature_no_token_is_issued() {
        assertThat(client.with("Authorization", "").post(REQUEST, "{}").error())
                .startsWith("40101/401 the token request has no mac");
        assertThat(client.post("/keys/app.other/requestToken", "{}").error())
                .startsWith("40101/401 the token request has no mac");
        assertThat(client.post("/keys/app.nobody/requestToken", "{}").error())
                .isEqualTo("40400/401 there is no key \"app.nobody\" on this hub");
        assertThat(client.get(REQUEST).status()).isEqualTo(404);
    }

    @Test
    void an_expired_token_is_rejected_with_the_challenge_for_sdks() {
        String token =
                client.post(REQUEST, "{\"ttl\":1000}").tree().path("token").asText();
        stage.pass(Duration.ofSeconds(1));

        Answer answer = client.with("Authorization", "Bearer " + token).get("/channels/x/messages");

        assertThat(answer.error()).isEqualTo("40142/401 the token expired 0 ms ago; request another token");
        assertThat(answer.header("WWW-Authenticate")).containsExactly("X-Ably-Token realm=\"doyen\", stale=\"true\"");
    }

    @Test
    void only_revoked_clients_are_disconnected() {
        Player ann = connected("ann");
        Player ben = connected("ben");

        Answer answer = client.post(REVOKE, "{\"targets\":[\"clientId:ann\",\"nonsense\"]}");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.tree().path("successCount").asInt()).isEqualTo(1);
        assertThat(answer.tree().path("failureCount").asInt()).isEqualTo(1);
        assertThat(answer.tree().at("/results/0/issuedBefore").asLong()).isEqualTo(Stage.START_MILLIS + 1);
        assertThat(answer.tree().at("/results/0/appliesAt").asLong()).isEqualTo(Stage.START_MILLIS);
        assertThat(answer.tree().at("/results/1/error/message").asText())
                .isEqualTo("the target \"nonsense\" is not known; write clientId:NAME or revocationKey:NAME");
        assertThat(ann.received()).containsExactly("DISCONNECTED 40141/401 the token was revoked");
        assertThat(ann.open).isFalse();
        assertThat(ben.received()).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(connected("ann").open)
                .as("a token issued after the revocation is valid")
                .isTrue();
    }

    @Test
    void the_revocations_are_stored_and_can_be_restored() {
        String token = token("ann");
        client.post(REVOKE, "{\"targets\":[\"clientId:ann\",\"revocationKey:x\"]}");
        stage.pass(Duration.ofHours(25));
        client.post(REVOKE, "{\"targets\":[\"clientId:ben\"]}");

        long first = Stage.START_MILLIS + 1;
        var ann = new Revocation("app.key", "clientId:ann", first);
        assertThat(stage.storedRevocations)
                .as("the hub stores them once for each request")
                .containsExactly(
                        List.of(ann, new Revocation("app.key", "revocationKey:x", first)),
                        List.of(new Revocation("app.key", "clientId:ben", first + 25 * 3_600_000)));

        var restarted = new Stage();
        restarted.hub.restore(List.of(ann));
        assertThat(new RestClient(restarted)
                        .with("Authorization", "Bearer " + token)
                        .get("/channels/x/messages")
                        .error())
                .startsWith("40141/401 ");
    }

    @Test
    void with_a_margin_a_revoked_client_has_half_a_minute_for_another_token() {
        Player ann = connected("ann");
        Player anna = connected("ann");
        Player ben = connected("ben");

        Answer answer = client.post(REVOKE, "{\"targets\":[\"clientId:ann\"],\"allowReauthMargin\":true}");

        assertThat(answer.tree().at("/results/0/issuedBefore").asLong()).isEqualTo(Stage.START_MILLIS + 1);
        assertThat(answer.tree().at("/results/0/appliesAt").asLong()).isEqualTo(Stage.START_MILLIS + 30_000);
        assertThat(ann.received()).containsExactly("AUTH");
        assertThat(anna.received()).containsExactly("AUTH");
        stage.pass(Duration.ofMillis(1));
        anna.send(ProtocolMessage.builder(Action.AUTH)
                .auth(new AuthDetails(token("ann")))
                .build());
        anna.take();
        stage.pass(Duration.ofMillis(29_998));
        assertThat(ann.open).isTrue();
        stage.pass(Duration.ofMillis(1));
        assertThat(ann.received()).contains("DISCONNECTED 40141/401 the token was revoked");
        assertThat(anna.open).as("a token issued after the revocation is valid").isTrue();
        assertThat(ben.received()).doesNotContain("AUTH");
        assertThat(ben.open).isTrue();
        assertThat(client.post(REVOKE, "{\"targets\":[\"clientId:a\"],\"allowReauthMargin\":\"x\"}")
                        .error())
                .startsWith("40003/400 allowReauthMargin is ");
    }

    @Test
    void a_token_issued_at_the_very_time_of_a_revocation_is_not_revoked() {
        Player ann = connected("ann");
        String revoke =
                "{\"targets\":[\"clientId:ann\"],\"issuedBefore\":" + Stage.START_MILLIS + ",\"allowReauthMargin\":";

        assertThat(client.post(REVOKE, revoke + "true}")
                        .tree()
                        .path("successCount")
                        .asInt())
                .isEqualTo(1);
        assertThat(ann.received()).isEmpty();
        client.post(REVOKE, revoke + "false}");
        assertThat(ann.received()).isEmpty();
        assertThat(ann.open).isTrue();
    }

    @Test
    void pending_revocations_are_limited() {
        String one = "{\"targets\":[\"clientId:ann\"],\"allowReauthMargin\":true}";
        for (int each = 0; each < Revoking.MAX_WAITING; each++) {
            assertThat(client.post(REVOKE, one).tree().path("successCount").asInt())
                    .isEqualTo(1);
        }
        assertThat(client.post(REVOKE, one)
                        .tree()
                        .at("/results/0/error/message")
                        .asText())
                .isEqualTo("the hub has 1000 revocations that wait, its limit; revoke without allowReauthMargin, or try"
                        + " again later");
        stage.pass(Duration.ofSeconds(30));
        assertThat(client.post(REVOKE, one).tree().path("successCount").asInt()).isEqualTo(1);
    }

    @Test
    void a_revocation_above_the_limit_still_ends_its_connections() {
        Player ann = connected("ann");
        client.post(REVOKE, "{\"targets\":[\"clientId:ann\"],\"allowReauthMargin\":true}");
        for (int i = 0; i < 100; i++) {
            int hundred = 100 * i;
            String targets = IntStream.range(hundred, hundred + 100)
                    .mapToObj(each -> "\"clientId:other" + each + "\"")
                    .collect(Collectors.joining(","));
            assertThat(client.post(REVOKE, "{\"targets\":[" + targets + "]}")
                            .tree()
                            .path("successCount")
                            .asInt())
                    .isEqualTo(100);
        }
        String refused = client.post(REVOKE, "{\"targets\":[\"clientId:one-more\"]}")
                .tree()
                .at("/results/0/error/message")
                .asText();
        assertThat(refused).startsWith("the hub remembers 10000 revocations, its limit");
        assertThat(ann.received()).containsExactly("AUTH");

        stage.pass(Revoking.MARGIN);

        assertThat(ann.received()).contains("DISCONNECTED 40141/401 the token was revoked");
        assertThat(ann.open).isFalse();
    }

    @Test
    void only_the_key_itself_can_revoke_valid_targets() {
        String token = client.post(REQUEST, "{}").tree().path("token").asText();
        assertThat(client.with("Authorization", "Bearer " + token)
                        .post(REVOKE, "{\"targets\":[\"clientId:ann\"]}")
                        .error())
                .isEqualTo("40101/401 only the key \"app.key\" itself may revoke its tokens; send it as Basic");
        assertThat(client.post(REVOKE, "{}").error()).startsWith("40000/400 targets must be a list of 1 to 100");
        String targets = "\"clientId:a\",".repeat(99) + "\"clientId:a\"";
        assertThat(client.post(REVOKE, "{\"targets\":[" + targets + "]}")
                        .tree()
                        .path("successCount")
                        .asInt())
                .isEqualTo(100);
        assertThat(client.post(REVOKE, "{\"targets\":[" + targets + ",\"clientId:a\"]}")
                        .error())
                .startsWith("40000/400 targets must be a list of 1 to 100");
        assertThat(client.post(REVOKE, "{\"targets\":[\"clientId:a\"],\"issuedBefore\":\"x\"}")
                        .error())
                .startsWith("40003/400 issuedBefore is ");
        assertThat(client.post(REVOKE, "{\"targets\":[\"clientId:a\"],\"issuedBefore\":-1}")
                        .error())
                .startsWith("40003/400 issuedBefore is ");
        assertThat(client.post(REVOKE, "{\"targets\":[\"clientId:a\"],\"issuedBefore\":0}")
                        .tree()
                        .path("successCount")
                        .asInt())
                .isEqualTo(1);
        assertThat(client.post(
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
        return client.post(REQUEST, "{\"clientId\":\"" + clientId + "\"}")
                .tree()
                .path("token")
                .asText();
    }
}
