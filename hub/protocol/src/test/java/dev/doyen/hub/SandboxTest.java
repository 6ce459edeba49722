package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.RestClient.Answer;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.request.SandboxApps;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the apps that the test suites of SDKs create. */
class SandboxTest {

    private final Stage stage = new Stage(new Hub(HubSettings.defaults(), HubKeys.of(List.of(Stage.KEY)), Sandbox.ON));
    private final RestClient client = new RestClient(stage).with("Authorization", "");

    private JsonNode make(String plan) {
        Answer answer = client.post("/apps", plan.replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.tree();
    }

    private RestClient by(JsonNode key) {
        return client.with(
                "Authorization", "Basic " + RestClient.base64(key.path("keyStr").asText()));
    }

    @Test
    void a_hub_without_the_sandbox_rejects_its_requests() {
        var plain = new RestClient(new Stage());
        assertThat(plain.post("/apps", "{}").status()).isEqualTo(404);
        assertThat(plain.send("DELETE", "/apps/a", "").status()).isEqualTo(404);
        assertThat(plain.post("/stats", "[]").status()).isEqualTo(404);
        assertThat(plain.get("/stats").status()).isEqualTo(404);
    }

    @Test
    void an_app_has_keys_with_the_requested_capabilities() {
        JsonNode app = make("{'keys':[{},{'capability':'{\\'a\\':[\\'publish\\']}'},{'capability':{'b':['history']}}],"
                        .replace("\\'", "\\\"")
                + "'namespaces':[{'id':'persisted','persisted':true}]}");
        assertThat(app.path("appId").asText()).isNotEmpty();
        assertThat(app.path("accountId").asText()).isNotEmpty();
        assertThat(app.path("namespaces")).hasSize(1);
        JsonNode keys = app.path("keys");
        assertThat(keys).hasSize(3);
        assertThat(keys.get(1).path("keyName").asText())
                .isEqualTo(app.path("appId").asText() + "."
                        + keys.get(1).path("id").asText());
        assertThat(keys.get(1).path("keyStr").asText())
                .isEqualTo(keys.get(1).path("keyName").asText() + ":"
                        + keys.get(1).path("keySecret").asText());
        assertThat(keys.get(1).path("value")).isEqualTo(keys.get(1).path("keySecret"));
        assertThat(keys.get(0).path("capability").asText()).isEqualTo("{\"*\":[\"*\"]}");
        assertThat(keys.get(1).path("capability").asText()).isEqualTo("{\"a\":[\"publish\"]}");

        assertThat(by(keys.get(0)).post("/channels/x/messages", "{}").status()).isEqualTo(201);
        assertThat(by(keys.get(1)).post("/channels/a/messages", "{}").status()).isEqualTo(201);
        assertThat(by(keys.get(1)).post("/channels/x/messages", "{}").error()).startsWith("40160/401");
        assertThat(by(keys.get(2)).get("/channels/b/messages").status()).isEqualTo(200);
        assertThat(by(keys.get(2)).get("/channels/a/messages").status()).isEqualTo(401);
        Player ann = stage.open(Map.of("key", keys.get(0).path("keyStr").asText(), "clientId", "ann"));
        assertThat(ann.open).isTrue();
    }

    @Test
    void fixture_members_stay_until_the_app_is_deleted() {
        JsonNode app = make("{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a','data':'true'},"
                + "{'clientId':'b','data':'AQI=','encoding':'json/utf-8/cipher+aes-128-cbc/base64'}]}]}");
        RestClient mine = by(app.path("keys").get(0));
        stage.pass(Duration.ofMinutes(1));
        JsonNode members = mine.get("/channels/x/presence").tree();
        assertThat(members.findValuesAsText("clientId")).containsExactly("a", "b");
        assertThat(members.get(1).path("data").asText()).isEqualTo("AQI=");
        assertThat(members.get(1).path("encoding").asText()).isEqualTo("json/utf-8/cipher+aes-128-cbc/base64");
        assertThat(mine.get("/channels/x/presence/history").each("action")).containsExactly("2", "2");
        Player c =
                stage.open(Map.of("key", app.path("keys").get(0).path("keyStr").asText(), "clientId", "c"));
        c.take();
        assertThat(c.attach("x").received().get(1)).startsWith("SYNC x present:a'true'");
        c.close();
        stage.pass(Duration.ofMinutes(5));
        assertThat(mine.get("/channels/x/presence").tree()).hasSize(2);

        assertThat(mine.send("DELETE", "/apps/" + app.path("appId").asText(), "")
                        .status())
                .isEqualTo(200);
        assertThat(mine.get("/channels/x/presence").status())
                .as("the keys of the deleted app are invalid")
                .isEqualTo(401);
        assertThat(stage.view(internalName(app, "x")).members()).isZero();
    }

    private static String internalName(JsonNode app, String channel) {
        return "," + app.path("appId").asText() + ":" + channel;
    }

    @Test
    void a_fixture_member_cannot_set_a_term() { // C4
        JsonNode app = make("{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a','extras':"
                + "{'headers':{'doyen-term':9,'doyen-slot':'leader/1','colour':'red'}}}]}]}");
        JsonNode member =
                by(app.path("keys").get(0)).get("/channels/x/presence").tree().get(0);
        assertThat(member.path("extras").toString()).isEqualTo("{\"headers\":{\"colour\":\"red\"}}");
    }

    @Test
    void the_history_is_deleted_with_the_app() {
        String plan = "{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a'}]}]}";
        JsonNode app = make(plan);
        by(app.path("keys").get(0)).post("/channels/y/messages", "{}");
        by(app.path("keys").get(0)).send("DELETE", "/apps/" + app.path("appId").asText(), "");
        stage.pass(Duration.ofMinutes(3));
        assertThat(stage.hub.channels()).isEmpty();
    }

    @Test
    void each_app_has_its_own_channels() {
        String plan = "{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a'}]}]}";
        JsonNode one = make(plan);
        JsonNode other = make(plan);
        RestClient mine = by(one.path("keys").get(0));
        RestClient others = by(other.path("keys").get(0));
        Player ann = connected(one, "ann").attach("x");
        Player bob = connected(other, "bob").attach("x");
        Player cid = stage.connect("cid").attach("x");
        ann.take();
        bob.take();
        cid.take();

        mine.post("/channels/x/messages", "{\"data\":\"1\"}");
        ann.enter("x", "here");
        assertThat(ann.received()).containsExactly("MESSAGE x '1'", "PRESENCE x enter:ann'here'", "ACK #0");
        assertThat(bob.received()).isEmpty();
        assertThat(cid.received()).isEmpty();
        assertThat(mine.get("/channels/x/presence").each("clientId")).containsExactlyInAnyOrder("a", "ann");
        assertThat(others.get("/channels/x/presence").each("clientId")).containsExactly("a");
        assertThat(others.get("/channels/x/messages").text()).isEqualTo("[]");
        assertThat(new RestClient(stage).get("/channels/x/messages").text()).isEqualTo("[]");
        assertThat(mine.get("/channels/x").tree().path("channelId").asText()).isEqualTo("x");
        for (RestClient each : List.of(mine, others, new RestClient(stage))) {
            assertThat(each.get("/channels?by=id").text()).isEqualTo("[\"x\"]");
        }

        others.send("DELETE", "/apps/" + other.path("appId").asText(), "");
        assertThat(mine.get("/channels/x/messages").each("data")).containsExactly("1");
    }

    @Test
    void each_app_has_its_own_leaders() {
        Player ann = connected(make("{'keys':[{}]}"), "ann").attach("x").enter("x", "leader");
        Player bob = connected(make("{'keys':[{}]}"), "bob").attach("x").enter("x", "leader");
        assertThat(stage.claims).extracting(Claimant::channel).doesNotHaveDuplicates();
        stage.grant(stage.claims.get(0), 7);
        stage.grant(stage.claims.get(1), 8);
        assertThat(ann.received()).last().isEqualTo("ACK #0");
        assertThat(bob.received()).last().isEqualTo("ACK #0");
    }

    @Test
    void a_token_is_valid_only_for_the_channels_of_its_app() {
        JsonNode app = make("{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a'}]}]}");
        JsonNode key = app.path("keys").get(0);
        String token = by(key).post("/keys/" + key.path("keyName").asText() + "/requestToken", "{}")
                .tree()
                .path("token")
                .asText();
        RestClient bearer = client.with("Authorization", "Bearer " + token);
        assertThat(bearer.get("/channels/x/presence").each("clientId")).containsExactly("a");
    }

    /** Connects a client with the first key of an app, and removes the client's CONNECTED frame. */
    private Player connected(JsonNode app, String clientId) {
        Player player =
                stage.open(Map.of("key", app.path("keys").get(0).path("keyStr").asText(), "clientId", clientId));
        player.take();
        return player;
    }

    @Test
    void an_app_can_change_the_maximum_number_of_members() {
        String members = IntStream.range(0, 201)
                .mapToObj(i -> "{'clientId':'" + i + "'}")
                .collect(Collectors.joining(","));
        String channels = "'channels':[{'name':'x','presence':[" + members + "]}]}";
        JsonNode app = make("{'keys':[{}],'limits':{'presence':{'maxMembers':201}}," + channels);
        assertThat(connected(app, "late").enter("x", "").received())
                .containsExactly("NACK #0 91003/400 channel \","
                        + app.path("appId").asText() + ":x\" has 201 members; at most 201 may be present");
        assertThat(refused("{'limits':{'presence':{'maxMembers':200}}," + channels))
                .endsWith(":x\" has 0 members; at most 200 may be present");
        assertThat(refused("{" + channels)).endsWith(":x\" has 0 members; at most 200 may be present");
        make("{'limits':{'presence':{'maxMembers':10000}}}");
        for (String wrong : List.of("0", "10001", "'many'", "1.5")) {
            assertThat(refused("{'limits':{'presence':{'maxMembers':" + wrong + "}}}"))
                    .startsWith("40000/400 limits.presence.maxMembers is ")
                    .endsWith("; give a whole number from 1 to 10000");
        }
    }

    @Test
    void the_rules_of_the_hub_apply_to_the_channels_of_an_app() {
        var settings = HubSettings.builder()
                .channelRules(new ChannelRules(List.of(ChannelRule.of("x").withMaxMembers(1))))
                .build();
        var ruled = new RestClient(new Stage(new Hub(settings, HubKeys.of(List.of(Stage.KEY)), Sandbox.ON)));
        String plan = "{'channels':[{'name':'%s','presence':[{'clientId':'a'},{'clientId':'b'}]}]}".replace('\'', '"');
        assertThat(ruled.post("/apps", plan.formatted("y")).status()).isEqualTo(201);
        assertThat(ruled.post("/apps", plan.formatted("x")).error()).endsWith("at most 1 may be present");
    }

    @Test
    void a_channel_that_a_fixture_lists_twice_has_the_members_of_both_entries() {
        JsonNode app = make("{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a'}]},"
                + "{'name':'x','presence':[{'clientId':'b'}]}]}");
        assertThat(by(app.path("keys").get(0)).get("/channels/x/presence").each("clientId"))
                .containsExactly("a", "b");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8000, \"localhost\" 8000",
        "127.0.0.1, \"127.0.0.1\" 80",
        "[::1]:8000, \"[::1]\" 8000",
        "x y, ' '",
        "localhost:, ' '",
    })
    void an_app_contains_the_address_of_the_hub(String host, String expected) {
        JsonNode app = client.with("Host", host).post("/apps", "{}").tree();
        assertThat(app.path("endpoint") + " " + app.path("port")).isEqualTo(expected);
        assertThat(app.path("tls")).hasToString(expected.isBlank() ? "" : "false");
    }

    @Test
    void an_app_contains_the_usual_port_of_tls() {
        var request = RestRequest.of(
                "POST",
                "/apps",
                Map.of("Host", "localhost", "Content-Type", "application/json"),
                "{}".getBytes(StandardCharsets.UTF_8));
        JsonNode app = new Answer(stage.request(request.overTls())).tree();
        assertThat(app.path("port").asInt()).isEqualTo(443);
        assertThat(app.path("tls").asBoolean()).isTrue();
    }

    @Test
    void an_app_is_deleted_by_its_own_keys_only() {
        JsonNode one = make("{'keys':[{}]}");
        JsonNode other = make("{'keys':[{}]}");
        assertThat(one.path("appId")).isNotEqualTo(other.path("appId"));
        RestClient mine = by(one.path("keys").get(0));
        assertThat(mine.send("DELETE", "/apps/" + other.path("appId").asText(), "")
                        .error())
                .startsWith("40160/401");
        assertThat(mine.send("DELETE", "/apps/none", "").status()).isEqualTo(404);
        assertThat(client.send("DELETE", "/apps/" + one.path("appId").asText(), "")
                        .status())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:9000,201",
        "https://127.0.0.1,201",
        "http://[::1]:80,201",
        "https://evil.example,403",
        "http://localhost.evil.example,403",
        "null,403",
    })
    void a_page_of_another_machine_cannot_create_an_app(String origin, int status) {
        assertThat(client.with("Origin", origin).post("/apps", "{}").status()).isEqualTo(status);
    }

    @Test
    void figures_are_accepted_and_ignored() {
        RestClient mine = by(make("{'keys':[{}]}").path("keys").get(0));
        assertThat(mine.post("/stats", "[{\"intervalId\":\"2025-01-01:00:00\"}]")
                        .status())
                .isEqualTo(201);
        assertThat(mine.get("/stats").text()).isEqualTo("[]");
        assertThat(client.get("/stats").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "{'keys':7}",
                "{'keys':[{'capability':'x'}]}",
                "{'keys':[{'capability':'{}'}]}",
                "{'channels':[{'name':'','presence':[{'clientId':'a'}]}]}",
                "{'channels':[{'name':'x','presence':[{'data':'a'}]}]}",
                "{'channels':[{'name':'x','presence':[7]}]}",
                "{'channels':[{'name':'x','presence':[{'clientId':'a'}]},{'name':':','presence':[{'clientId':'a'}]}]}",
                "{'channels':[{'name':'x','presence':{}}]}",
                "{'channels':[{'name':'x','presence':[{'clientId':'a','extras':7}]}]}",
            })
    void an_invalid_request_is_rejected_and_creates_nothing(String plan) {
        assertThat(client.post("/apps", plan.replace('\'', '"')).status()).isEqualTo(400);
        assertThat(stage.hub.channels()).isEmpty();
    }

    @Test
    void members_of_several_channels_have_ids_in_their_order() {
        JsonNode app = make("{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a'}]},"
                + "{'name':'y','presence':[{'clientId':'a'}]}]}");
        RestClient mine = by(app.path("keys").get(0));
        var serials = new TreeSet<String>();
        for (String channel : List.of("x", "y")) {
            JsonNode member =
                    mine.get("/channels/" + channel + "/presence").tree().get(0);
            assertThat(member.path("id").asText())
                    .startsWith(member.path("connectionId").asText());
            serials.add(member.path("id")
                    .asText()
                    .substring(member.path("connectionId").asText().length()));
        }
        assertThat(serials).containsExactly(":0:0", ":1:0");
    }

    @Test
    void an_app_with_too_many_channels_leaves_no_members() {
        var settings = HubSettings.builder().maxChannels(1).build();
        var small = new Stage(new Hub(settings, HubKeys.of(List.of(Stage.KEY)), Sandbox.ON));
        String plan = "{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a'}]},"
                + "{'name':'y','presence':[{'clientId':'a'}]}]}";
        assertThat(new RestClient(small).post("/apps", plan.replace('\'', '"')).status())
                .isEqualTo(503);
        assertThat(small.hub.channels()).extracting(ChannelView::members).containsOnly(0);
    }

    @Test
    void keys_and_channels_of_an_app_are_limited() {
        String keys = "{},".repeat(19) + "{}";
        String channels = "{'name':'x'},".repeat(19) + "{'name':'x'}";
        JsonNode app = make("{'keys':[" + keys + "],'channels':[" + channels + "]}");
        assertThat(app.path("keys")).hasSize(20);
        assertThat(app.path("channels")).hasSize(20);
        assertThat(refused("{'keys':[" + keys + ",{}]}")).isEqualTo("40000/400 keys must be a list of at most 20");
        assertThat(refused("{'channels':[" + channels + ",{}]}"))
                .isEqualTo("40000/400 channels must be a list of at most 20");
        assertThat(refused("{'namespaces':7}")).isEqualTo("40000/400 namespaces must be a list");
    }

    private String refused(String plan) {
        return client.post("/apps", plan.replace('\'', '"')).error();
    }

    @Test
    void the_number_of_apps_is_limited() {
        for (int i = 0; i < SandboxApps.MAX_APPS; i++) {
            make("{}");
        }
        assertThat(client.post("/apps", "{}").status()).isEqualTo(503);
    }
}
