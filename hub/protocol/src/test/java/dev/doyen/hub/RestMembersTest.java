package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.Asker.Answer;
import dev.doyen.hub.wire.PresenceAction;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Members and channels over HTTP. */
class RestMembersTest {

    private final Stage stage = new Stage();
    private final Asker asker = new Asker(stage);

    @Test
    void members_come_as_present_with_the_id_and_time_of_their_last_event() {
        Player ann = stage.connect("ann").enter("x", "1").update("x", "2");
        JsonNode member = asker.get("/channels/x/presence").tree().get(0);
        assertThat(member.path("action").asInt()).isEqualTo(PresenceAction.PRESENT.code());
        assertThat(member.path("id").asText()).isEqualTo(ann.connectionId + ":1:0");
        assertThat(member.path("clientId").asText()).isEqualTo("ann");
        assertThat(member.path("connectionId").asText()).isEqualTo(ann.connectionId);
        assertThat(member.path("data").asText()).isEqualTo("2");
        assertThat(member.path("timestamp").asLong()).isEqualTo(Stage.START_MILLIS);
        assertThat(asker.get("/channels/nobody/presence").text()).isEqualTo("[]");
    }

    @Test
    void the_leaders_term_is_there() {
        stage.connect("ann").enter("x", "leader");
        stage.grant(7);
        assertThat(asker.get("/channels/x/presence")
                        .tree()
                        .get(0)
                        .at("/extras/headers/doyen-term")
                        .asInt())
                .isEqualTo(7);
    }

    @Test
    void members_are_chosen_by_client_and_by_connection() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.presence("x", Player.message(PresenceAction.ENTER, "a", ""), Player.message(PresenceAction.ENTER, "b", ""));
        Player ann = stage.connect("a").enter("x", "");
        assertThat(asker.get("/channels/x/presence?clientId=a").each("connectionId"))
                .containsExactlyInAnyOrder(any.connectionId, ann.connectionId);
        assertThat(asker.get("/channels/x/presence?connectionId=" + any.connectionId)
                        .each("clientId"))
                .containsExactly("a", "b");
        assertThat(asker.get("/channels/x/presence?clientId=b&connectionId=" + ann.connectionId)
                        .text())
                .isEqualTo("[]");
    }

    @Test
    void pages_of_members_hold_though_some_leave_meanwhile() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        for (int i = 6; i >= 0; i--) {
            any.presence("x", Player.message(PresenceAction.ENTER, "m," + i, ""));
        }
        var seen = new ArrayList<String>();
        Answer page = asker.get("/channels/x/presence?limit=3");
        seen.addAll(page.each("clientId"));
        any.presence("x", Player.message(PresenceAction.LEAVE, "m,2", ""));
        while (!page.link("next").isEmpty()) {
            assertThat(page.header("Link")).allMatch(line -> line.matches("<\\./presence\\?[^,<>]+>; rel=\"\\w+\""));
            page = asker.get("/channels/x/presence" + page.link("next"));
            seen.addAll(page.each("clientId"));
        }
        assertThat(seen).containsExactly("m,0", "m,1", "m,2", "m,3", "m,4", "m,5", "m,6");
        assertThat(asker.get("/channels/x/presence?limit=5").link("next")).isNotEmpty();
        assertThat(asker.get("/channels/x/presence?limit=6").link("next")).isEmpty();
    }

    @Test
    void a_channels_status_counts_connections_by_what_they_may_do() {
        Player ann = stage.connect("ann").attach("x").attach("[?rewind=1]x").enter("x", "");
        stage.connect("bob").attach("x", Map.of("modes", "subscribe"));
        stage.connect("cid").attach("x", Map.of("modes", "publish,presence_subscribe"));
        JsonNode status = asker.get("/channels/x").tree();
        assertThat(status.path("channelId").asText()).isEqualTo("x");
        assertThat(status.at("/status/isActive").asBoolean()).isTrue();
        assertThat(status.at("/status/occupancy/metrics").toString())
                .isEqualTo("{\"connections\":3,\"publishers\":2,\"subscribers\":2,\"presenceConnections\":1,"
                        + "\"presenceMembers\":1,\"presenceSubscribers\":2}");
        assertThat(ann.open).isTrue();
    }

    @Test
    void a_channel_that_nobody_uses_is_not_active() {
        stage.connect("ann").publish("x", "1");
        for (String name : new String[] {"x", "nobody"}) {
            JsonNode status = asker.get("/channels/" + name).tree();
            assertThat(status.path("channelId").asText()).isEqualTo(name);
            assertThat(status.at("/status/isActive").asBoolean(true)).isFalse();
            assertThat(status.at("/status/occupancy/metrics/connections").asInt(-1))
                    .isZero();
        }
    }

    @Test
    void channels_in_use_are_listed_in_order_by_prefix_in_pages() {
        Player ann = stage.connect("ann").publish("unused", "1");
        for (String name : new String[] {"b:2", "a", "b:3", "b:1"}) {
            ann.attach(name);
        }
        assertThat(asker.get("/channels").each("channelId")).containsExactly("a", "b:1", "b:2", "b:3");
        Answer page = asker.get("/channels?prefix=b%3A&limit=2&by=id");
        assertThat(page.text()).isEqualTo("[\"b:1\",\"b:2\"]");
        assertThat(page.header("Link").get(2)).startsWith("<./channels?");
        Answer last = asker.get("/channels" + page.link("next"));
        assertThat(last.text()).isEqualTo("[\"b:3\"]");
        assertThat(last.link("next")).isEmpty();
        assertThat(asker.get("/channels?limit=4").link("next")).isEmpty();
    }

    @Test
    void nothing_is_listed_without_a_key() {
        assertThat(asker.with("Authorization", "").get("/channels").status()).isEqualTo(401);
        assertThat(asker.with("Authorization", "").get("/channels/x").status()).isEqualTo(401);
    }
}
