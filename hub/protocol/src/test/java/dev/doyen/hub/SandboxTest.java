package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.Asker.Answer;
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

/** Apps that the test suites of SDKs create. */
class SandboxTest {

    private final Stage stage = new Stage(new Hub(HubSettings.defaults(), HubKeys.of(List.of(Stage.KEY)), Sandbox.ON));
    private final Asker asker = new Asker(stage).with("Authorization", "");

    private JsonNode make(String plan) {
        Answer answer = asker.post("/apps", plan.replace('\'', '"'));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.tree();
    }

    private Asker by(JsonNode key) {
        return asker.with(
                "Authorization", "Basic " + Asker.base64(key.path("keyStr").asText()));
    }

    @Test
    void a_hub_that_is_no_sandbox_has_none_of_it() {
        var plain = new Asker(new Stage());
        assertThat(plain.post("/apps", "{}").status()).isEqualTo(404);
        assertThat(plain.ask("DELETE", "/apps/a", "").status()).isEqualTo(404);
        assertThat(plain.post("/stats", "[]").status()).isEqualTo(404);
        assertThat(plain.get("/stats").status()).isEqualTo(404);
    }

    @Test
    void an_app_has_keys_that_are_good_for_what_was_asked() {
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
    void who_is_present_from_the_beginning_stays_until_the_app_is_deleted() {
        JsonNode app = make("{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a','data':'true'},"
                + "{'clientId':'b','data':'AQI=','encoding':'json/utf-8/cipher+aes-128-cbc/base64'}]}]}");
        Asker mine = by(app.path("keys").get(0));
        stage.pass(Duration.ofMinutes(1));
        JsonNode members = mine.get("/channels/x/presence").tree();
        assertThat(members.findValuesAsText("clientId")).containsExactly("a", "b");
        assertThat(members.get(1).path("data").asText()).isEqualTo("AQI=");
        assertThat(members.get(1).path("encoding").asText()).isEqualTo("json/utf-8/cipher+aes-128-cbc/base64");
        assertThat(mine.get("/channels/x/presence/history").each("action")).containsExactly("2", "2");
        assertThat(stage.connect("c").attach("x").heard().get(1)).startsWith("SYNC x present:a'true'");
        stage.pass(Duration.ofMinutes(5));
        assertThat(mine.get("/channels/x/presence").tree()).hasSize(2);

        assertThat(mine.ask("DELETE", "/apps/" + app.path("appId").asText(), "").status())
                .isEqualTo(200);
        assertThat(mine.get("/channels/x/presence").status())
                .as("its keys are good no longer")
                .isEqualTo(401);
        assertThat(stage.view("x").members()).isZero();
    }

    @Test
    void a_member_of_an_app_carries_no_term_that_the_app_has_set() { // C4
        JsonNode app = make("{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a','extras':"
                + "{'headers':{'doyen-term':9,'doyen-slot':'leader/1','colour':'red'}}}]}]}");
        JsonNode member =
                by(app.path("keys").get(0)).get("/channels/x/presence").tree().get(0);
        assertThat(member.path("extras").toString()).isEqualTo("{\"headers\":{\"colour\":\"red\"}}");
    }

    @Test
    void a_deleted_app_takes_the_past_with_it() {
        String plan = "{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a'}]}]}";
        JsonNode app = make(plan);
        by(app.path("keys").get(0)).post("/channels/y/messages", "{}");
        by(app.path("keys").get(0)).ask("DELETE", "/apps/" + app.path("appId").asText(), "");
        Asker next = by(make(plan).path("keys").get(0));
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
        Asker mine = by(one.path("keys").get(0));
        assertThat(mine.ask("DELETE", "/apps/" + other.path("appId").asText(), "")
                        .error())
                .startsWith("40160/401");
        assertThat(mine.ask("DELETE", "/apps/none", "").status()).isEqualTo(404);
        assertThat(asker.ask("DELETE", "/apps/" + one.path("appId").asText(), "")
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
    void a_page_from_elsewhere_makes_no_app(String origin, int status) {
        assertThat(asker.with("Origin", origin).post("/apps", "{}").status()).isEqualTo(status);
    }

    @Test
    void figures_are_taken_and_forgotten() {
        Asker mine = by(make("{'keys':[{}]}").path("keys").get(0));
        assertThat(mine.post("/stats", "[{\"intervalId\":\"2025-01-01:00:00\"}]")
                        .status())
                .isEqualTo(201);
        assertThat(mine.get("/stats").text()).isEqualTo("[]");
        assertThat(asker.get("/stats").status()).isEqualTo(401);
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
    void a_plan_that_cannot_be_is_refused_and_leaves_nothing(String plan) {
        assertThat(asker.post("/apps", plan.replace('\'', '"')).status()).isEqualTo(400);
        assertThat(stage.hub.channels()).isEmpty();
    }

    @Test
    void members_of_several_channels_have_ids_in_their_order() {
        JsonNode app = make("{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a'}]},"
                + "{'name':'y','presence':[{'clientId':'a'}]}]}");
        Asker mine = by(app.path("keys").get(0));
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
    void an_app_with_more_channels_than_the_hub_has_room_for_leaves_nobody_behind() {
        var settings = HubSettings.builder().maxChannels(1).build();
        var small = new Stage(new Hub(settings, HubKeys.of(List.of(Stage.KEY)), Sandbox.ON));
        String plan = "{'keys':[{}],'channels':[{'name':'x','presence':[{'clientId':'a'}]},"
                + "{'name':'y','presence':[{'clientId':'a'}]}]}";
        assertThat(new Asker(small).post("/apps", plan.replace('\'', '"')).status())
                .isEqualTo(503);
        assertThat(small.hub.channels()).extracting(ChannelView::members).containsOnly(0);
    }

    @Test
    void an_app_has_at_most_so_many_keys_and_channels() {
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
        return asker.post("/apps", plan.replace('\'', '"')).error();
    }

    @Test
    void there_are_only_so_many() {
        for (int i = 0; i < SandboxApps.MAX_APPS; i++) {
            make("{}");
        }
        assertThat(asker.post("/apps", "{}").status()).isEqualTo(503);
        String members = "{'clientId':'a'},".repeat(200);
        String many = "{'channels':[{'name':'x','presence':[" + members + "{'clientId':'b'}]}]}";
        var fresh = new Stage(new Hub(HubSettings.defaults(), HubKeys.of(List.of(Stage.KEY)), Sandbox.ON));
        assertThat(new Asker(fresh).post("/apps", many.replace('\'', '"')).status())
                .isEqualTo(400);
    }
}
