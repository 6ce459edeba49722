package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.event.SavedState;
import dev.doyen.hub.content.ClaimState;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the hub saves state and delivers it to the next holder (rule C17). */
class StatesTest {

    private static final String L = "{\"role\":\"L\"}";

    private final Stage stage = new Stage(HubSettings.builder()
            .maxMessageBytes(100_000)
            .channelRules(new ChannelRules(List.of(ChannelRule.of("only")
                    .withSlots(Map.of("leader", 1, "indexer", 1))
                    .fencedFor(Set.of("leader")))))
            .build());

    private Player leader(String clientId, String channel, long term, SavedState left) {
        Player player = stage.connect(clientId).attach(channel);
        player.take();
        player.enter(channel, L);
        stage.grant(stage.claims.get(stage.claims.size() - 1), term, left);
        return player;
    }

    private static Message state(Data data, @Nullable String encoding, long term) {
        ObjectNode extras = JsonNodeFactory.instance.objectNode();
        extras.putObject("headers").put("doyen-term", term);
        return Message.of("doyen:state", data).withData(data, encoding).withExtras(extras);
    }

    private SavedState lastSaved() {
        return stage.saves.get(stage.saves.size() - 1).state();
    }

    private static Optional<Message> lastMessage(List<ProtocolMessage> frames) {
        return frames.stream()
                .filter(frame -> frame.action() == Action.MESSAGE)
                .map(frame -> frame.messages().get(0))
                .reduce((first, second) -> second);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(Data.text("row 17\nof 20"), null),
                Arguments.of(Data.text("{\"row\":17}"), "json"),
                Arguments.of(Data.text("17"), "\u20AC".repeat(255)),
                Arguments.of(Data.text(""), null),
                Arguments.of(Data.bytes(new byte[] {0, (byte) 0xff, 10, 10}), null),
                Arguments.of(Data.bytes(new byte[] {1, 2}), "json/utf-8/cipher+aes-128-cbc"));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void C17_the_next_leader_receives_the_saved_state_just_before_the_event_of_its_claim(Data data, String encoding) {
        Player watcher = stage.connect("watcher").attach("x");
        Player ann = leader("ann", "x", 7, SavedState.EMPTY);
        assertThat(ann.received()).containsExactly("PRESENCE x enter:ann'" + L + "'@7", "ACK #0");
        watcher.take();
        ann.publish("x", state(data, encoding, 7));
        assertThat(ann.received())
                .as("no acknowledgement before the store has the state")
                .isEmpty();
        stage.stored();
        assertThat(ann.received()).containsExactly("ACK #1");
        assertThat(watcher.received()).as("other clients receive nothing").isEmpty();
        ann.close();
        Player bob = leader("bob", "x", 8, lastSaved());
        List<ProtocolMessage> received = bob.take();
        assertThat(received)
                .extracting(ProtocolMessage::action)
                .containsExactly(Action.MESSAGE, Action.PRESENCE, Action.ACK);
        Message message = received.get(0).messages().get(0);
        assertThat(message.name()).isEqualTo("doyen:state");
        assertThat(message.data()).isEqualTo(data);
        assertThat(message.encoding()).isEqualTo(encoding);
        JsonNode headers = message.extras().get("headers");
        assertThat(headers.get("doyen-term").longValue())
                .as("the header has the term of the save")
                .isEqualTo(7);
        assertThat(headers.get("doyen-slot").textValue()).isEqualTo("leader/1");
    }

    @Test
    void C17_a_leader_without_a_socket_or_attachment_receives_the_state_when_it_attaches() {
        SavedState left = saved("17");
        Player ann = stage.connect("ann").enter("x", L);
        ann.drop();
        stage.grant(stage.claims.get(0), 8, left);
        ann.resume();
        ann.take();
        ann.attach("x");
        assertThat(lastMessage(ann.take()).orElseThrow().data()).isEqualTo(Data.text("17"));
        ann.publish("x", state(Data.text("18"), null, 8));
        stage.stored();
        ann.take();
        ann.attach("x");
        assertThat(lastMessage(ann.take()).orElseThrow().data())
                .as("the leader receives its own later save")
                .isEqualTo(Data.text("18"));
    }

    private SavedState saved(String text) {
        try {
            return new ClaimState(3, Data.text(text), null).packed();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void C17_only_the_holder_can_save_and_only_in_its_term() {
        Player ann = leader("ann", "x", 7, SavedState.EMPTY);
        ann.take();
        ann.publish("x", state(Data.text("1"), null, 6)).publish("x", Message.of("doyen:state", Data.text("1")));
        Player bob = stage.connect("bob").publish("x", state(Data.text("1"), null, 7));
        assertThat(ann.received())
                .containsExactly(
                        "NACK #1 40911/409 fence 6 < 7: \"ann\" leads \"x\" in term 7",
                        "NACK #2 40911/409 only the holder of a claim on \"x\" saves, with its term in"
                                + " extras.headers[\"doyen-term\"]");
        assertThat(bob.received()).containsExactly("NACK #0 40911/409 fence 7: \"ann\" leads \"x\" in term 7, not you");
        assertThat(stage.saves).isEmpty();
    }

    @Test
    void C17_a_save_is_the_only_message_of_its_frame_and_has_a_limited_size() {
        Player ann = leader("ann", "x", 7, SavedState.EMPTY);
        ann.take();
        ann.publish("x", state(Data.text("1"), null, 7), state(Data.text("2"), null, 7));
        assertThat(ann.takeOnly().error().message()).contains("one message, named doyen:state; this has 2");
        ann.publish("x", state(Data.text("x".repeat(65_517)), null, 7));
        assertThat(ann.received())
                .containsExactly(
                        "NACK #2 40009/400 the state has 65517 bytes; at most 65516 are stored with a claim: save"
                                + " a pointer to the rest");
        ann.publish("x", state(Data.text("x".repeat(65_516)), null, 7));
        assertThat(stage.saves).hasSize(1);
    }

    @Test
    void C17_a_save_has_the_form_and_the_limits_of_any_message() {
        Player ann = leader("ann", "x", 7, SavedState.EMPTY);
        ann.take();
        Message state = state(Data.text("1"), null, 7);
        ObjectNode big = state.extras().deepCopy();
        big.put("a", "x".repeat(100_000));
        ann.publish("x", state.withId("")).publish("x", state.withExtras(big));
        assertThat(ann.received())
                .containsExactly(
                        "NACK #1 40031/400 the message id has 0 characters; give 1 to 255",
                        "NACK #2 40009/400 the publish has "
                                + ("doyen:state".length()
                                        + 1
                                        + "ann".length()
                                        + big.toString().length())
                                + " bytes of name, data, client id and extras; at most 100000 are allowed");
        assertThat(stage.saves).isEmpty();
    }

    @Test
    void C17_a_state_at_the_limit_is_saved_and_one_byte_more_is_rejected_with_the_limit() throws Refusal {
        int room = SavedState.MAX_BYTES - "doyen-hub/1 3 text \n".length();
        assertThat(new ClaimState(3, Data.text("x".repeat(room)), null).packed().bytes())
                .hasSize(SavedState.MAX_BYTES);
        var tooLong = new ClaimState(3, Data.text("x".repeat(room + 1)), null);
        assertThatThrownBy(tooLong::packed)
                .isInstanceOf(Refusal.class)
                .hasMessage("the state has " + (room + 1) + " bytes; at most " + room
                        + " are stored with a claim: save a pointer to the rest");
    }

    @Test
    void C17_the_longest_encoding_is_returned_unchanged() throws Refusal {
        var state = new ClaimState(999_999_999_999_999_999L, Data.bytes(new byte[] {1}), "\u20ac".repeat(255));
        assertThat(ClaimState.of(state.packed())).contains(state);
    }

    @Test
    void C17_a_state_without_a_complete_first_line_is_not_of_a_hub() {
        SavedState kept = SavedState.ofText("doyen-hub/1 3 text " + "A".repeat(2_048));
        assertThat(ClaimState.of(kept)).contains(new ClaimState(0, Data.bytes(kept.bytes()), null));
    }

    @Test
    void C17_a_first_line_with_a_malformed_encoding_has_no_encoding() {
        var kept = SavedState.ofText("doyen-hub/1 3 text A\nx");
        assertThat(ClaimState.of(kept)).contains(new ClaimState(3, Data.text("x"), null));
    }

    @Test
    void C17_every_holder_can_save_even_if_it_may_not_publish() {
        Player ann = stage.connect("ann").enter("only", "{\"role\":\"L\",\"slot\":\"indexer\"}");
        stage.grant(3);
        ann.publish("only", state(Data.text("1"), null, 3));
        assertThat(stage.saves)
                .singleElement()
                .satisfies(save -> assertThat(save.claimant().election()).isEqualTo("[indexer]only"));
    }

    @Test
    void C17_saves_are_numbered_and_answered_in_order() {
        Player ann = leader("ann", "x", 7, SavedState.EMPTY);
        ann.take();
        ann.publish("x", state(Data.text("1"), null, 7)).publish("x", state(Data.text("2"), null, 7));
        assertThat(stage.saves).extracting(HubEffect.Save::number).containsExactly(1L, 2L);
        stage.carry(stage.hub.stateSaved(stage.now(), stage.saves.get(0).claimant(), 7, 1));
        assertThat(ann.received()).containsExactly("ACK #1");
        stage.stored();
        assertThat(ann.received()).containsExactly("ACK #2");
        stage.pass(Duration.ofSeconds(10));
        assertThat(ann.received()).as("each save is answered once").noneMatch(line -> line.startsWith("NACK"));
    }

    @Test
    void C17_a_save_that_waits_when_the_claim_ends_is_rejected() {
        Player ann = leader("ann", "x", 7, SavedState.EMPTY);
        ann.take();
        ann.publish("x", state(Data.text("1"), null, 7));
        stage.lose(new Claimant("x", "ann", ann.connectionId), 7);
        assertThat(ann.received())
                .contains("NACK #1 40911/409 you hold leader/1 no longer; the store may have written the state");
        stage.stored();
        assertThat(ann.received()).isEmpty();
        stage.pass(Duration.ofSeconds(10));
        assertThat(ann.received()).as("the save is answered once").noneMatch(line -> line.startsWith("NACK"));
    }

    @Test
    void C17_a_save_is_rejected_if_the_store_does_not_answer_within_ten_seconds() {
        Player ann = leader("ann", "x", 7, SavedState.EMPTY);
        ann.take();
        ann.publish("x", state(Data.text("1"), null, 7));
        stage.pass(Duration.ofSeconds(10));
        assertThat(ann.received())
                .anyMatch(line -> line.startsWith("NACK #1 50003/503 the state was not stored within"));
        stage.stored();
        assertThat(ann.received()).isEmpty();
        ann.attach("x");
        assertThat(lastMessage(ann.take()).orElseThrow().data())
                .as("the late save is stored")
                .isEqualTo(Data.text("1"));
    }

    @Test
    void C17_the_number_of_waiting_saves_is_limited() {
        Player ann = leader("ann", "x", 7, SavedState.EMPTY);
        for (int i = 0; i < 17; i++) {
            ann.publish("x", state(Data.text("1"), null, 7));
        }
        assertThat(stage.saves).hasSize(16);
    }

    @Test
    void C17_empty_data_clears_the_saved_state_and_the_next_leader_receives_none() {
        Player ann = leader("ann", "x", 7, saved("17"));
        ann.take();
        ann.publish("x", state(Data.NONE, null, 7));
        stage.stored();
        assertThat(lastSaved()).isEqualTo(SavedState.EMPTY);
        ann.close();
        assertThat(lastMessage(leader("bob", "x", 8, lastSaved()).take())).isEmpty();
    }

    @Test
    void C17_a_state_with_a_malformed_encoding_is_sent_without_an_encoding() {
        Player ann = leader("ann", "x", 7, SavedState.ofText("doyen-hub/1 3 text A\n17"));
        Message message = lastMessage(ann.take()).orElseThrow();
        assertThat(message.data()).isEqualTo(Data.text("17"));
        assertThat(message.encoding()).isNull();
    }

    @Test
    void C17_state_of_another_program_in_the_record_is_sent_as_bytes() {
        Player ann = leader("ann", "x", 7, SavedState.ofText("from Java"));
        Message message = lastMessage(ann.take()).orElseThrow();
        assertThat(message.data()).isEqualTo(Data.bytes("from Java".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        assertThat(message.extras().get("headers").has("doyen-term")).isFalse();
    }
}
