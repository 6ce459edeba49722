package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.RestClient.Answer;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.request.SandboxApps;
import dev.doyen.hub.settings.HubSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
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
        assertThat(keys.get(1).path("value")).isEqualTo(keys.get(1).path("keyStr"));
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
        assertThat(stage.connect("c").attach("x").received().get(1)).startsWith("SYNC x present:a'true'");
        stage.pass(Duration.ofMinutes(5));
        assertThat(mine.get("/channels/x/presence").tree()).hasSize(2);

        assertThat(mine.send("DELETE", "/apps/" + app.path("appId").asText(), "")
                        .status())
                .isEqualTo(200);
        assertThat(mine.get("/channels/x/presence").status())
                .as("the keys of the deleted app are invalid")
                .isEqualTo(401);
        assertThat(stage.view("x").members()).isZero();
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
        RestClient next = by(make(plan).path("keys").get(0));
        assertThat(next.get("/channels/x/presence/history").tree()).hasSize(1);
        assertThat(next.get("/channels/y/messages").text()).isEqualTo("[]");
        stage.pass(Duration.ofMinutes(3));
        assertThat(stage.hub.channels()).extracting(ChannelView::name).containsExactly("x");
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
        String members = "{'clientId':'a'},".repeat(200);
        String many = "{'channels':[{'name':'x','presence':[" + members + "{'clientId':'b'}]}]}";
        var fresh = new Stage(new Hub(HubSettings.defaults(), HubKeys.of(List.of(Stage.KEY)), Sandbox.ON));
        assertThat(new RestClient(fresh).post("/apps", many.replace('\'', '"')).status())
                .isEqualTo(400);
    }
}
