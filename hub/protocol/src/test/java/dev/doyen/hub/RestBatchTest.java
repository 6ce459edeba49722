package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.RestClient.Answer;
import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests requests for several channels, the operations that a key allows on each channel, and requests for tokens. */
class RestBatchTest {

    private final Stage stage;
    private final RestClient client;

    RestBatchTest() throws Refusal {
        var bound = HubKey.of("app.bound:narrow")
                .with(Capability.parse(
                        "{\"a\":[\"publish\"],\"b\":[\"subscribe\",\"history\"],\"c:*\":[\"channel-metadata\"]}"));
        stage = new Stage(new Hub(HubSettings.defaults(), HubKeys.ofKeys(List.of(HubKey.of(Stage.KEY), bound))));
        client = new RestClient(stage);
    }

    private RestClient bound() {
        return client.with("Authorization", "Basic " + RestClient.base64("app.bound:narrow"));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    @Test
    void each_channel_succeeds_or_fails_separately() {
        Answer answer =
                bound().post("/messages", json("{'channels':['a','b'],'messages':[{'data':'1'},{'data':'2'}]}"));
        assertThat(answer.status()).isEqualTo(201);
        JsonNode tree = answer.tree();
        assertThat(tree.path("successCount").asInt()).isEqualTo(1);
        assertThat(tree.path("failureCount").asInt()).isEqualTo(1);
        assertThat(tree.at("/results/0/channel").asText()).isEqualTo("a");
        assertThat(tree.at("/results/0/messageId").asText()).isNotEmpty();
        assertThat(tree.at("/results/0").has("error")).isFalse();
        assertThat(tree.at("/results/1/error/code").asInt()).isEqualTo(40160);
        assertThat(tree.at("/results/1/error/statusCode").asInt()).isEqualTo(401);
        assertThat(client.get("/channels/a/messages").each("data")).containsExactly("2", "1");
    }

    @Test
    void a_list_of_specs_has_a_list_of_results_with_different_ids() {
        String specs =
                json("[{'channels':['a','b'],'messages':{'data':'1'}},{'channels':'a','messages':{'data':'2'}}]");
        JsonNode tree = client.post("/messages", specs).tree();
        assertThat(tree).hasSize(2);
        assertThat(tree.findValuesAsText("messageId")).hasSize(3).doesNotHaveDuplicates();
        assertThat(client.get("/channels/a/messages").each("data")).containsExactly("2", "1");
    }

    @ParameterizedTest
    @CsvSource({"100, 201", "101, 400"})
    void a_request_has_at_most_100_specs(int specs, int status) {
        String empty = ",{}".repeat(specs - 1);
        Answer answer = client.post("/messages", json("[{'channels':'a','messages':{'data':'1'}}" + empty + "]"));
        assertThat(answer.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "1.2"})
    void before_version_3_the_results_are_a_flat_list(String version) {
        RestClient old = client.with("X-Ably-Version", version);
        JsonNode published = old.post("/messages", json("{'channels':['a',':'],'messages':{'data':'1'}}"))
                .tree();
        assertThat(published.findValuesAsText("channel")).containsExactly("a", ":");
        assertThat(published.at("/1/error/code").asInt()).isEqualTo(40010);
        JsonNode members = old.get("/presence?channels=a,:").tree();
        assertThat(members.findValuesAsText("channel")).containsExactly("a", ":");
        assertThat(members.at("/1/error/code").asInt()).isEqualTo(40010);
        JsonNode revoked = old.post("/keys/app.key/revokeTokens", json("{'targets':['clientId:a','x']}"))
                .tree();
        assertThat(revoked.findValuesAsText("target")).containsExactly("clientId:a", "x");
        assertThat(revoked.at("/1/error/code").asInt()).isEqualTo(40000);
    }

    @ParameterizedTest
    @CsvSource({"3, ''", "2, newBatchResponse=true", "1.2, newBatchResponse=true"})
    void from_version_3_or_with_a_parameter_the_results_contain_counts(String version, String parameter) {
        RestClient sdk = client.with("X-Ably-Version", version);
        JsonNode published = sdk.post(
                        "/messages?" + parameter, json("[{'channels':['a',':'],'messages':{'data':'1'}}]"))
                .tree();
        assertThat(published.at("/0/failureCount").asInt()).isEqualTo(1);
        assertThat(sdk.get("/presence?channels=a,:&" + parameter)
                        .tree()
                        .path("failureCount")
                        .asInt())
                .isEqualTo(1);
        assertThat(sdk.post("/keys/app.key/revokeTokens?" + parameter, json("{'targets':['clientId:a','x']}"))
                        .tree()
                        .path("failureCount")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void members_of_many_channels_are_returned() {
        stage.connect("ann").enter("a", "1");
        stage.connect("bob").presence("b", PresenceMessage.of(PresenceAction.ENTER, null, Data.bytes(new byte[] {1, 2
        })));
        JsonNode tree = bound().get("/presence?channels=a,b").tree();
        assertThat(tree.path("successCount").asInt()).isEqualTo(1);
        assertThat(tree.at("/results/0/error/code").asInt()).isEqualTo(40160);
        assertThat(tree.at("/results/1/presence/0/clientId").asText()).isEqualTo("bob");
        assertThat(tree.at("/results/1/presence/0/data").asText()).isEqualTo("AQI=");
        assertThat(bound().with("Accept", "application/x-msgpack")
                        .get("/presence?channels=a,b")
                        .tree())
                .isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|the request names 0 channels; give 1 to 100",
                "{'messages':{}}|the request names 0 channels; give 1 to 100",
                "7|the body must be an object, not a number",
                "[7]|a spec of the body must be an object, not a number",
                "{'channels':[7]}|channels must be text, not a number",
                "{'channels':['a'],'messages':7}|messages must be an object, not a number",
            })
    void invalid_batches_are_rejected(String body, String sentence) {
        assertThat(client.post("/messages", json(body)).error()).isEqualTo("40000/400 " + sentence);
    }

    @Test
    void a_batch_has_a_limit() {
        String channels = "'a',".repeat(100) + "'a'";
        assertThat(client.post("/messages", json("{'channels':[" + channels + "],'messages':{}}"))
                        .error())
                .startsWith("40000/400 the request names 101 channels");
        String hundred = channels.substring(4);
        assertThat(client.post("/messages", json("{'channels':[" + hundred + "],'messages':{}}"))
                        .tree()
                        .path("successCount")
                        .asInt())
                .isEqualTo(100);
        assertThat(client.get("/presence?channels=a").status()).isEqualTo(200);
        assertThat(client.get("/presence").status()).isEqualTo(400);
        assertThat(client.get("/presence?channels=" + "a,".repeat(100)).status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "POST,/channels/a/messages,201",
        "POST,/channels/b/messages,401",
        "GET,/channels/a/messages,401",
        "GET,/channels/b/messages,200",
        "GET,/channels/a/presence,401",
        "GET,/channels/b/presence,200",
        "GET,/channels/a/presence/history,401",
        "GET,/channels/b/presence/history,200",
        "GET,/channels/a,401",
        "GET,/channels/c:1,200",
    })
    void a_key_can_request_what_its_capability_allows(String method, String target, int status) {
        Answer answer = bound().send(method, target, "{}");
        assertThat(answer.status()).isEqualTo(status);
        if (status == 401) {
            assertThat(answer.error()).startsWith("40160/401 the key \"app.bound\" does not allow ");
        }
    }

    @Test
    void only_channels_within_the_capability_are_listed() {
        stage.connect("ann").attach("a").attach("c:1").attach("d");
        assertThat(bound().get("/channels?by=id").text()).isEqualTo("[\"c:1\"]");
    }

    @Test
    void a_token_is_issued_for_a_key_and_valid_for_requests() {
        Answer answer = client.post("/keys/app.key/requestToken", """
            {"keyName":"app.key","clientId":"ann","capability":"{\\"x\\":[\\"publish\\"]}","ttl":5000}\
            """);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        JsonNode details = answer.tree();
        assertThat(details.path("keyName").asText()).isEqualTo("app.key");
        assertThat(details.path("clientId").asText()).isEqualTo("ann");
        assertThat(details.path("capability").asText()).isEqualTo("{\"x\":[\"publish\"]}");
        assertThat(details.path("issued").asLong()).isEqualTo(Stage.START_MILLIS);
        assertThat(details.path("expires").asLong()).isEqualTo(Stage.START_MILLIS + 5_000);

        String token = details.path("token").asText();
        RestClient ann = client.with("Authorization", "Bearer " + RestClient.base64(token));
        assertThat(ann.post("/channels/x/messages", "{}").status()).isEqualTo(201);
        assertThat(client.get("/channels/x/messages").each("clientId")).containsExactly("ann");
        assertThat(ann.post("/channels/x/messages", json("{'clientId':'eve'}")).status())
                .isEqualTo(400);
        assertThat(ann.get("/channels/x/messages").error()).startsWith("40160/401 this token");
        stage.pass(java.time.Duration.ofSeconds(5));
        Answer expired = ann.post("/channels/x/messages", "{}");
        assertThat(expired.error()).startsWith("40142/401");
        assertThat(expired.header("WWW-Authenticate")).containsExactly("X-Ably-Token realm=\"doyen\", stale=\"true\"");
    }

    @Test
    void no_token_is_issued_without_the_key_or_a_signature() {
        String body = json("{'keyName':'app.key'}");
        assertThat(client.with("Authorization", "")
                        .post("/keys/app.key/requestToken", body)
                        .status())
                .isEqualTo(401);
        assertThat(bound().post("/keys/app.key/requestToken", body).status()).isEqualTo(401);
        assertThat(client.post("/keys/app.none/requestToken", json("{'keyName':'app.none'}"))
                        .status())
                .isIn(401, 404);
        assertThat(client.get("/keys/app.key/requestToken").status()).isEqualTo(404);
    }
}
