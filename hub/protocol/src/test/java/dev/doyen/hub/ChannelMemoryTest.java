package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the exact limits of the history, and the order in which the hub drops old entries. */
class ChannelMemoryTest {

    /** The size of a presence event without its client id, data and extras, in bytes. */
    private static final int EVENT_BYTES = 256;

    private static Stage stage(int bytesPerChannel, int bytesInAll) {
        return new Stage(settings(bytesPerChannel, bytesInAll));
    }

    private static HubSettings settings(int bytesPerChannel, int bytesInAll) {
        return HubSettings.builder()
                .maxMessageBytes(100)
                .historyBytes(bytesPerChannel)
                .historyBytesInAll(bytesInAll)
                .build();
    }

    /** Publishes a message whose size in the history is {@code bytes}. The size includes one byte for the client id. */
    private static void publish(Player player, String channel, int bytes) {
        player.publish(channel, "m".repeat(bytes - 1));
    }

    private static int messages(Stage stage, String channel) {
        return new RestClient(stage)
                .get("/channels/" + channel + "/messages")
                .tree()
                .size();
    }

    private static JsonNode events(Stage stage, String channel) {
        return new RestClient(stage)
                .get("/channels/" + channel + "/presence/history")
                .tree();
    }

    @Test
    void messages_can_use_all_the_memory_to_the_last_byte() {
        Stage stage = stage(100, 200);
        Player ann = stage.connect("a");
        publish(ann, "idle", 100);
        publish(ann, "x", 100);
        assertThat(messages(stage, "idle")).isEqualTo(1);
        assertThat(messages(stage, "x")).isEqualTo(1);
    }

    @Test
    void presence_events_can_use_all_the_memory_to_the_last_byte() {
        Stage stage = stage(600, 100 + EVENT_BYTES + 1 + 300);
        Player ann = stage.connect("a").attach("x").attach("y");
        publish(ann, "x", 100);
        publish(ann, "y", 100);
        publish(ann, "y", 100);
        publish(ann, "y", 100);
        ann.enter("x", "");
        assertThat(events(stage, "x")).hasSize(1);
        ann.update("x", "");
        assertThat(events(stage, "x")).isEmpty();
        assertThat(messages(stage, "x")).isEqualTo(1);
    }

    @Test
    void an_idle_channel_frees_all_its_memory() {
        Stage stage = stage(100, 120);
        Player ann = stage.connect("a");
        publish(ann, "one", 60);
        publish(ann, "two", 30);
        publish(ann, "three", 60);
        assertThat(messages(stage, "one")).isZero();
        assertThat(messages(stage, "two")).isEqualTo(1);
        assertThat(messages(stage, "three")).isEqualTo(1);
    }

    @Test
    void a_channel_without_its_history_uses_no_memory_for_it() {
        Stage stage = stage(100, 100);
        Player ann = stage.connect("a").attach("x").attach("y").attach("z");
        publish(ann, "x", 60);
        publish(ann, "y", 60);
        publish(ann, "z", 30);
        assertThat(messages(stage, "x")).isEqualTo(1);
        assertThat(messages(stage, "y")).isZero();
        assertThat(messages(stage, "z")).isEqualTo(1);
    }

    @Test
    void a_deleted_app_uses_no_memory() {
        var stage = new Stage(new Hub(settings(100, 100), HubKeys.of(List.of(Stage.KEY)), Sandbox.ON));
        JsonNode app = new RestClient(stage)
                .with("Authorization", "")
                .post("/apps", "{\"keys\":[{}]}")
                .tree();
        String appId = app.path("appId").asText();
        String key = app.path("keys").get(0).path("keyStr").asText();
        Player ben = stage.open(Map.of("key", key)).attach("x");
        publish(ben, "x", 60);
        new RestClient(stage).by(key).send("DELETE", "/apps/" + appId, "");
        Player ann = stage.connect("a").attach("y");
        publish(ann, "y", 60);
        assertThat(messages(stage, "y")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 1"})
    void an_event_counts_for_its_client_id_its_data_and_its_extras(int bytesTooFew, int kept) {
        var extras = JsonNodeFactory.instance.objectNode();
        extras.putObject("headers").put("k", "v");
        int bytes =
                EVENT_BYTES + "a".length() + "d".length() + extras.toString().length();
        Stage stage = stage(2 * bytes - bytesTooFew, 100_000);
        Player ann = stage.connect("a");
        for (int i = 0; i < 5; i++) {
            ann.presence(
                    "x",
                    PresenceMessage.of(PresenceAction.UPDATE, null, Data.text("d"))
                            .withExtras(extras));
        }
        assertThat(events(stage, "x")).hasSize(kept);
    }

    @ParameterizedTest
    @CsvSource({"50, 50, 2", "50, 51, 1", "51, 50, 1"})
    void messages_of_a_channel_can_use_its_memory_to_the_last_byte(int first, int second, int kept) {
        Stage stage = stage(100, 1_000);
        Player ann = stage.connect("a");
        publish(ann, "x", first);
        publish(ann, "x", second);
        assertThat(messages(stage, "x")).isEqualTo(kept);
    }

    @Test
    void the_messages_of_the_last_frame_are_kept_above_the_limit() {
        var stage = new Stage(HubSettings.builder().historyCount(3).build());
        var frame = new Message[4];
        Arrays.setAll(frame, i -> Message.of(null, Data.text("m" + i)));
        stage.connect("a").publish("x", "1").publish("x", frame);
        assertThat(messages(stage, "x")).isEqualTo(4);
    }

    @Test
    void a_message_id_that_left_the_history_can_be_published_again() {
        var stage = new Stage(HubSettings.builder().historyCount(1).build());
        Player ann = stage.connect("a");
        Message mine = Message.of(null, Data.text("mine")).withId("mine");
        ann.publish("x", mine).publish("x", "other").publish("x", mine);
        assertThat(new RestClient(stage).get("/channels/x/messages").each("data"))
                .containsExactly("mine");
    }

    @Test
    void the_events_of_the_last_frame_are_kept_above_the_limit() {
        var stage = new Stage(HubSettings.builder().historyCount(3).build());
        Player any = stage.open(Map.of("key", Stage.KEY));
        var entries = new PresenceMessage[4];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = Player.message(PresenceAction.ENTER, "c" + i, "d");
        }
        any.presence("x", entries);
        assertThat(events(stage, "x")).hasSize(4);
    }

    @Test
    void a_message_is_removed_at_its_age_even_before_an_earlier_message() {
        var stage = new Stage(HubSettings.builder()
                .historyAge(Duration.ofSeconds(2))
                .lastMessageAge(Duration.ofSeconds(4))
                .build());
        Player ann = stage.connect("a").publish("x", "1");
        stage.pass(Duration.ofSeconds(1));
        ann.publish("x", "2");
        assertThat(messages(stage, "x")).isEqualTo(2);
        stage.pass(Duration.ofSeconds(1));
        assertThat(messages(stage, "x")).isEqualTo(1);
    }

    @Test
    void messages_and_presence_events_are_removed_at_their_own_ages() {
        var stage = new Stage();
        Player ann = stage.connect("a").enter("x", "1").publish("x", "1");
        stage.pass(Duration.ofSeconds(30));
        ann.publish("x", "2");
        stage.pass(Duration.ofSeconds(30));
        ann.update("x", "2");
        stage.pass(Duration.ofSeconds(30));
        ann.publish("x", "3");
        stage.pass(Duration.ofSeconds(31));
        assertThat(messages(stage, "x")).isEqualTo(2);
        assertThat(events(stage, "x")).hasSize(1);
        stage.pass(Duration.ofSeconds(30));
        assertThat(messages(stage, "x")).isEqualTo(1);
        assertThat(events(stage, "x")).hasSize(1);
        stage.pass(Duration.ofSeconds(30));
        assertThat(messages(stage, "x")).as("the last message is stored longer").isEqualTo(1);
        assertThat(events(stage, "x")).isEmpty();
    }

    @Test
    void presence_events_of_the_hub_are_removed_at_their_age() {
        var stage = new Stage();
        stage.connect("a").enter("x", "leader");
        stage.grant(1);
        stage.pass(Duration.ofMinutes(3));
        assertThat(events(stage, "x")).isEmpty();
        stage.lose(stage.claims.get(0), 1);
        assertThat(events(stage, "x")).hasSize(1);
        stage.pass(Duration.ofMinutes(3));
        assertThat(events(stage, "x")).isEmpty();
    }

    @Test
    void no_timer_remains_for_a_removed_channel() {
        var stage = new Stage(HubSettings.builder().maxChannels(1).build());
        Player ann = stage.connect("a").publish("x", "1").publish("x", "2").publish("y", "1");
        ann.attach("z").close();
        stage.pass(Duration.ofMinutes(3));
        assertThat(stage.hub.channels()).isEmpty();
        assertThat(stage.hub.nextWakeNanos()).isEmpty();
    }
}
