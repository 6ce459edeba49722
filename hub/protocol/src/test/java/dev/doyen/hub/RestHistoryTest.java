package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.RestClient.Answer;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the message and presence history over HTTP, in pages. */
class RestHistoryTest {

    private final Stage stage = new Stage();
    private final RestClient client = new RestClient(stage);

    private void publish(String channel, int from, int to) {
        Player ann = stage.connect("ann");
        for (int i = from; i <= to; i++) {
            ann.publish(channel, Message.of("n" + i, Data.text("d" + i)));
        }
    }

    @Test
    void a_message_has_the_fields_of_its_frame() {
        Player ann = stage.connect("ann").publish("x", Message.of("greeting", Data.text("hi")));
        String serial = ann.takeOnly().res().get(0).serials().get(0);

        JsonNode message = client.get("/channels/x/messages").tree().get(0);

        assertThat(message.path("id").asText()).isEqualTo(ann.connectionId + ":0:0");
        assertThat(message.path("name").asText()).isEqualTo("greeting");
        assertThat(message.path("data").asText()).isEqualTo("hi");
        assertThat(message.path("clientId").asText()).isEqualTo("ann");
        assertThat(message.path("connectionId").asText()).isEqualTo(ann.connectionId);
        assertThat(message.path("timestamp").asLong()).isEqualTo(Stage.START_MILLIS);
        assertThat(message.path("serial").asText()).isEqualTo(serial);
    }

    @Test
    void the_newest_messages_come_first_by_default_on_both_paths() {
        publish("x", 1, 3);
        assertThat(client.get("/channels/x/messages").each("name")).containsExactly("n3", "n2", "n1");
        assertThat(client.get("/channels/x/history?direction=forwards").each("name"))
                .containsExactly("n1", "n2", "n3");
    }

    @ParameterizedTest
    @CsvSource({"backwards,messages", "forwards,messages", "backwards,history", "forwards,history"})
    void pages_contain_each_message_once(String direction, String path) {
        stage.connect("ann")
                .publish("x", Message.of("n1", Data.NONE), Message.of("n2", Data.NONE), Message.of("n3", Data.NONE));
        publish("x", 4, 7);
        var names = new ArrayList<String>();
        String target = "/channels/x/" + path + "?limit=2&direction=" + direction;
        while (!target.isEmpty()) {
            Answer page = client.get(target);
            assertThat(page.header("Link"))
                    .allMatch(line -> line.matches("<\\./" + path + "\\?[^,<>]+>; rel=\"\\w+\""));
            assertThat(client.get("/channels/x/" + path + page.link("current")).text())
                    .isEqualTo(page.text());
            assertThat(client.get("/channels/x/" + path + page.link("first")).text())
                    .isEqualTo(client.get("/channels/x/" + path + "?limit=2&direction=" + direction)
                            .text());
            names.addAll(page.each("name"));
            // Publish a message between two requests. The new message must not shift the pages.
            publish("x", 8, 8);
            target = page.link("next").isEmpty() ? "" : "/channels/x/" + path + page.link("next");
        }
        var expected = new ArrayList<>(List.of("n1", "n2", "n3", "n4", "n5", "n6", "n7"));
        if (direction.equals("backwards")) {
            java.util.Collections.reverse(expected);
            assertThat(names).containsExactlyElementsOf(expected);
        } else {
            assertThat(names).startsWith(expected.toArray(new String[0]));
        }
    }

    @Test
    void the_last_page_has_no_next_and_links_are_never_without_a_query() {
        publish("x", 1, 2);
        Answer page = client.get("/channels/x/messages");
        assertThat(page.header("Link"))
                .containsExactly("<./messages?limit=100>; rel=\"first\"", "<./messages?limit=100>; rel=\"current\"");
        assertThat(client.get("/channels/x/messages?limit=2").link("next")).isEmpty();
        assertThat(client.get("/channels/nobody/messages").text()).isEqualTo("[]");
        assertThat(client.get("/channels/nobody/messages").link("next")).isEmpty();
    }

    @Test
    void links_contain_no_credentials() {
        publish("x", 1, 2);
        Answer page = client.get("/channels/x/messages?limit=1&key=app.key:secret&access_token=abc&accessToken=abc");
        assertThat(page.link("next")).isNotEmpty();
        assertThat(String.join(" ", page.header("Link"))).doesNotContain("secret", "abc");
    }

    @Test
    void links_contain_no_parameter_without_a_name() {
        assertThat(client.get("/channels/x/messages?=y&limit=7&a=&b").header("Link"))
                .contains("<./messages?limit=7&a=>; rel=\"first\"");
    }

    @Test
    void both_ends_of_a_time_range_are_included() {
        for (int i = 1; i <= 3; i++) {
            publish("x", i, i);
            stage.pass(Duration.ofMillis(10));
        }
        long second = Stage.START_MILLIS + 10;
        assertThat(client.get("/channels/x/messages?start=" + second).each("name"))
                .containsExactly("n3", "n2");
        assertThat(client.get("/channels/x/messages?end=" + second).each("name"))
                .containsExactly("n2", "n1");
        assertThat(client.get("/channels/x/messages?start=" + second + "&end=" + second)
                        .each("name"))
                .containsExactly("n2");
    }

    @Test
    void until_attach_ends_at_the_start_of_the_attachment() {
        publish("x", 1, 2);
        String attached =
                stage.connect("bob").attach("x").takeOnly().channelSerial().replace("@", "%40");
        publish("x", 3, 4);
        assertThat(client.get("/channels/x/messages?from_serial=" + attached).each("name"))
                .containsExactly("n2", "n1");
        assertThat(client.get("/channels/x/messages?direction=forwards&from_serial=" + attached)
                        .each("name"))
                .containsExactly("n2", "n3", "n4");
    }

    @Test
    void a_cursor_can_have_more_than_three_digits() {
        publish("x", 1, 2);
        assertThat(client.get("/channels/x/messages?direction=forwards&cursor=00000000000005-a1000%40series:000")
                        .each("name"))
                .containsExactly("n1", "n2");
    }

    @Test
    void history_in_msgpack_has_bytes_as_bytes_and_in_json_as_base64() {
        stage.connect("ann").publish("x", Message.of("b", Data.bytes(new byte[] {1, 2, 3})));
        JsonNode message = client.get("/channels/x/messages").tree().get(0);
        assertThat(message.path("data").asText()).isEqualTo("AQID");
        assertThat(message.path("encoding").asText()).isEqualTo("base64");
        byte[] packed = client.with("Accept", "application/x-msgpack")
                .get("/channels/x/messages")
                .raw()
                .body();
        assertThat(packed).containsSequence(0xa4, 'd', 'a', 't', 'a', 0xc4, 3, 1, 2, 3);
        assertThat(new String(packed, java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain("base64");
    }

    @Test
    void old_and_excess_messages_are_removed() {
        var small = new Stage(HubSettings.builder().historyCount(3).build());
        Player ann = small.connect("ann");
        for (int i = 1; i <= 5; i++) {
            ann.publish("x", Message.of("n" + i, Data.NONE));
        }
        assertThat(new RestClient(small).get("/channels/x/messages").each("name"))
                .containsExactly("n5", "n4", "n3");
        small.pass(Duration.ofMinutes(2));
        assertThat(new RestClient(small).get("/channels/x/messages").each("name"))
                .as("the last message is stored longer")
                .containsExactly("n5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit=0|limit is \"0\"; give a number from 1 to 1000",
                "limit=1001|limit is \"1001\"; give a number from 1 to 1000",
                "limit=x|limit is \"x\"; give a number from 1 to 1000",
                "direction=up|direction is \"up\"; give backwards (the default) or forwards",
                "start=yesterday|start is \"yesterday\"; give milliseconds since the epoch",
                "start=5&end=4|start (5) is after end (4)",
                "from_serial=x|from_serial is \"x\"; give a serial that the hub issued",
                "cursor=1|cursor is \"1\"; give a serial that the hub issued",
            })
    void invalid_parameters_are_rejected_with_a_sentence(String query, String sentence) {
        Answer refused = client.get("/channels/x/messages?" + query);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("40003/400 " + sentence);
    }

    @Test
    void presence_history_is_requested_like_messages() {
        Player ann = stage.connect("ann").enter("x", "1").update("x", "2");
        stage.connect("bob").enter("x", "b");
        ann.leave("x");

        Answer all = client.get("/channels/x/presence/history");
        assertThat(all.each("action")).containsExactly("3", "2", "4", "2");
        assertThat(all.each("clientId")).containsExactly("ann", "bob", "ann", "ann");
        assertThat(all.each("data")).containsExactly("2", "b", "2", "1");
        assertThat(all.tree().get(3).path("id").asText()).isEqualTo(ann.connectionId + ":0:0");
        assertThat(all.tree().get(3).path("connectionId").asText()).isEqualTo(ann.connectionId);

        Answer first = client.get("/channels/x/presence/history?limit=3&direction=forwards");
        assertThat(first.header("Link").get(2)).startsWith("<./history?");
        assertThat(client.get("/channels/x/presence/history" + first.link("next"))
                        .each("action"))
                .containsExactly("3");
        assertThat(client.get("/channels/x/messages").text())
                .as("presence events are not in the message history")
                .isEqualTo("[]");
    }

    @Test
    void events_of_one_frame_keep_their_order_over_pages() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.presence(
                "x",
                Player.message(PresenceAction.ENTER, "a", ""),
                Player.message(PresenceAction.ENTER, "b", ""),
                Player.message(PresenceAction.ENTER, "c", ""));
        String history = "/channels/x/presence/history?limit=1";
        assertThat(client.pages(history, "clientId")).containsExactly("c", "b", "a");
        assertThat(client.pages(history + "&direction=forwards", "clientId")).containsExactly("a", "b", "c");
    }

    @Test
    void presence_events_of_the_hub_are_in_the_history() {
        stage.connect("ann").enter("x", "1").close();
        assertThat(client.get("/channels/x/presence/history").each("action")).containsExactly("3", "2");
        Player bob = stage.connect("bob").enter("y", "{\"role\":\"L\",\"ttl\":1000}");
        stage.grant(1);
        stage.pass(Duration.ofSeconds(1));
        assertThat(client.get("/channels/y/presence/history").each("action"))
                .as("the history has the enter and the end of the claim")
                .containsExactly("4", "2");
        assertThat(bob.open).isTrue();
    }

    @Test
    void presence_history_is_limited_separately_from_messages() {
        var small = new Stage(HubSettings.builder()
                .historyCount(3)
                .historyBytes(100_000)
                .maxMessageBytes(65_536)
                .historyBytesInAll(200_000)
                .build());
        var smallClient = new RestClient(small);
        Player ann = small.connect("ann").publish("x", "kept");
        for (int i = 0; i < 5; i++) {
            ann.update("x", "d" + i);
        }
        assertThat(smallClient.get("/channels/x/presence/history").each("data")).containsExactly("d4", "d3", "d2");
        ann.update("x", "e".repeat(60_000)).update("x", "f".repeat(60_000));
        assertThat(smallClient.get("/channels/x/presence/history").tree()).hasSize(1);
        assertThat(smallClient.get("/channels/x/messages").each("data")).containsExactly("kept");
        small.pass(Duration.ofMinutes(2));
        assertThat(smallClient.get("/channels/x/presence/history").text()).isEqualTo("[]");
    }

    @Test
    void presence_history_is_trimmed_before_messages() {
        var small = new Stage(HubSettings.builder()
                .historyBytes(100)
                .maxMessageBytes(100)
                .historyBytesInAll(200)
                .build());
        small.connect("ann").attach("x").publish("x", "kept").enter("x", "1");
        assertThat(new RestClient(small).get("/channels/x/presence/history").text())
                .isEqualTo("[]");
        assertThat(new RestClient(small).get("/channels/x/messages").each("data"))
                .containsExactly("kept");
    }

    @Test
    void an_unused_channel_is_kept_as_long_as_its_presence_history() {
        var slow = new Stage(HubSettings.builder()
                .historyAge(Duration.ofMinutes(10))
                .lastMessageAge(Duration.ofMinutes(10))
                .build());
        Player ann = slow.connect("ann").publish("x", "1");
        slow.pass(Duration.ofMinutes(5));
        ann.enter("x", "1").close();
        slow.pass(Duration.ofMinutes(6));
        assertThat(new RestClient(slow).get("/channels/x/messages").text()).isEqualTo("[]");
        assertThat(new RestClient(slow).get("/channels/x/presence/history").each("action"))
                .containsExactly("3", "2");
        slow.pass(Duration.ofMinutes(5));
        assertThat(slow.hub.channels()).isEmpty();
    }

    @Test
    void a_channel_is_removed_with_its_history() {
        stage.connect("ann").enter("x", "1").close();
        assertThat(stage.hub.channels()).hasSize(1);
        stage.pass(Duration.ofMinutes(3));
        assertThat(stage.hub.channels()).isEmpty();
        assertThat(stage.hub.nextWakeNanos()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"messages", "history", "presence", "presence/history"})
    void no_history_is_returned_without_a_key(String path) {
        Answer refused = client.with("Authorization", "").get("/channels/x/" + path);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.tree().path("error").path("code").asInt()).isEqualTo(40101);
    }

    @Test
    void a_request_creates_no_channel() {
        client.get("/channels/x/messages");
        client.get("/channels/x/presence");
        client.get("/channels/x");
        assertThat(stage.hub.channels()).isEmpty();
    }

    @Test
    void text_of_any_kind_is_returned_unchanged() {
        ProtocolMessage frame = Player.messageFrame("x", 0, Message.of("ü", Data.text("\"é\n\u0001")));
        stage.connect("ann").send(frame);
        assertThat(client.get("/channels/x/messages").each("data")).containsExactly("\"é\n\u0001");
        assertThat(client.with("Accept", "application/x-msgpack")
                        .get("/channels/x/messages")
                        .each("name"))
                .containsExactly("ü");
    }
}
