package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.RestClient.Answer;
import dev.doyen.hub.wire.PresenceAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests requests for members and channels over HTTP. */
class RestMembersTest {

    private final Stage stage = new Stage();
    private final RestClient client = new RestClient(stage);

    @Test
    void members_have_the_id_and_time_of_their_last_event() {
        Player ann = stage.connect("ann").enter("x", "1").update("x", "2");
        JsonNode member = client.get("/channels/x/presence").tree().get(0);
        assertThat(member.path("action").asInt()).isEqualTo(PresenceAction.PRESENT.code());
        assertThat(member.path("id").asText()).isEqualTo(ann.connectionId + ":1:0");
        assertThat(member.path("clientId").asText()).isEqualTo("ann");
        assertThat(member.path("connectionId").asText()).isEqualTo(ann.connectionId);
        assertThat(member.path("data").asText()).isEqualTo("2");
        assertThat(member.path("timestamp").asLong()).isEqualTo(Stage.START_MILLIS);
        assertThat(client.get("/channels/nobody/presence").text()).isEqualTo("[]");
    }

    @Test
    void the_term_of_the_leader_is_returned() {
        stage.connect("ann").enter("x", "leader");
        stage.grant(7);
        assertThat(client.get("/channels/x/presence")
                        .tree()
                        .get(0)
                        .at("/extras/headers/doyen-term")
                        .asInt())
                .isEqualTo(7);
    }

    @Test
    void members_are_filtered_by_client_and_by_connection() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.presence("x", Player.message(PresenceAction.ENTER, "a", ""), Player.message(PresenceAction.ENTER, "b", ""));
        Player ann = stage.connect("a").enter("x", "");
        assertThat(client.get("/channels/x/presence?clientId=a").each("connectionId"))
                .containsExactlyInAnyOrder(any.connectionId, ann.connectionId);
        assertThat(client.get("/channels/x/presence?connectionId=" + any.connectionId)
                        .each("clientId"))
                .containsExactly("a", "b");
        assertThat(client.get("/channels/x/presence?clientId=b&connectionId=" + ann.connectionId)
                        .text())
                .isEqualTo("[]");
    }

    @Test
    void pages_of_members_are_stable_if_some_leave_meanwhile() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        for (int i = 6; i >= 0; i--) {
            any.presence("x", Player.message(PresenceAction.ENTER, "m," + i, ""));
        }
        var seen = new ArrayList<String>();
        Answer page = client.get("/channels/x/presence?limit=3");
        seen.addAll(page.each("clientId"));
        any.presence("x", Player.message(PresenceAction.LEAVE, "m,2", ""));
        while (!page.link("next").isEmpty()) {
            assertThat(page.header("Link")).allMatch(line -> line.matches("<\\./presence\\?[^,<>]+>; rel=\"\\w+\""));
            page = client.get("/channels/x/presence" + page.link("next"));
            seen.addAll(page.each("clientId"));
        }
        assertThat(seen).containsExactly("m,0", "m,1", "m,2", "m,3", "m,4", "m,5", "m,6");
        assertThat(client.get("/channels/x/presence?limit=5").link("next")).isNotEmpty();
        assertThat(client.get("/channels/x/presence?limit=6").link("next")).isEmpty();
    }

    @Test
    void the_status_of_a_channel_counts_connections_by_mode() {
        Player ann = stage.connect("ann").attach("x").attach("[?rewind=1]x").enter("x", "");
        stage.connect("bob").attach("x", Map.of("modes", "subscribe"));
        stage.connect("cid").attach("x", Map.of("modes", "publish,presence_subscribe"));
        JsonNode status = client.get("/channels/x").tree();
        assertThat(status.path("channelId").asText()).isEqualTo("x");
        assertThat(status.at("/status/isActive").asBoolean()).isTrue();
        assertThat(status.at("/status/occupancy/metrics").toString())
                .isEqualTo("{\"connections\":3,\"publishers\":2,\"subscribers\":2,\"presenceConnections\":1,"
                        + "\"presenceMembers\":1,\"presenceSubscribers\":2}");
        assertThat(ann.open).isTrue();
    }

    @Test
    void an_unused_channel_is_not_active() {
        stage.connect("ann").attach("x").detach("x");
        for (String name : new String[] {"x", "nobody"}) {
            JsonNode status = client.get("/channels/" + name).tree();
            assertThat(status.path("channelId").asText()).isEqualTo(name);
            assertThat(status.at("/status/isActive").asBoolean(true)).isFalse();
            assertThat(status.at("/status/occupancy/metrics/connections").asInt(-1))
                    .isZero();
        }
    }

    @Test
    void a_channel_is_active_for_two_minutes_after_a_publish() {
        client.post("/channels/x/messages", "{\"data\":\"1\"}");
        stage.pass(Duration.ofMinutes(1));
        client.post("/channels/x/messages", "{\"data\":\"2\"}");
        stage.pass(Duration.ofMillis(119_999));
        assertThat(client.get("/channels/x").tree().at("/status/isActive").asBoolean())
                .isTrue();
        assertThat(client.get("/channels?by=id").text()).isEqualTo("[\"x\"]");
        stage.pass(Duration.ofMillis(1));
        assertThat(client.get("/channels/x").tree().at("/status/isActive").asBoolean(true))
                .isFalse();
        assertThat(client.get("/channels?by=id").text()).isEqualTo("[]");
    }

    @Test
    void channels_in_use_are_listed_in_order_by_prefix_in_pages() {
        Player ann = stage.connect("ann").attach("unused").detach("unused");
        for (String name : new String[] {"b:2", "a", "b:3", "b:1"}) {
            ann.attach(name);
        }
        assertThat(client.get("/channels").each("channelId")).containsExactly("a", "b:1", "b:2", "b:3");
        Answer page = client.get("/channels?prefix=b%3A&limit=2&by=id");
        assertThat(page.text()).isEqualTo("[\"b:1\",\"b:2\"]");
        assertThat(page.header("Link").get(2)).startsWith("<./channels?");
        Answer last = client.get("/channels" + page.link("next"));
        assertThat(last.text()).isEqualTo("[\"b:3\"]");
        assertThat(last.link("next")).isEmpty();
        assertThat(client.get("/channels?limit=4").link("next")).isEmpty();
    }

    @Test
    void nothing_is_listed_without_a_key() {
        assertThat(client.with("Authorization", "").get("/channels").status()).isEqualTo(401);
        assertThat(client.with("Authorization", "").get("/channels/x").status()).isEqualTo(401);
    }
}
