package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that only the leader can publish with the fence of its term (rules C10 and C11). */
class FencesTest {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Stage stage = new Stage(HubSettings.builder()
            .channelRules(ChannelRules.fenced("only", "jobs:*"))
            .build());
    private final Player ann = stage.connect("ann");
    private final Player bob = stage.connect("bob");

    private void lead(Player player, String channel, long term) {
        player.enter(channel, "leader");
        stage.grant(term);
        player.take();
    }

    @Test
    void C10_the_leader_publishes_in_its_term() {
        lead(ann, "x", 8);
        ann.publish("x", Player.fenced("1", 8))
                .publish("x", Player.fenced("2", JSON.textNode("8")))
                .publish("x", Player.fenced("3", JSON.numberNode(8.0)));
        assertThat(ann.received()).containsExactly("ACK #1", "ACK #2", "ACK #3");
    }

    @Test
    void C10_a_message_of_a_stale_leader_is_rejected_and_not_delivered() {
        Player watcher = stage.connect("watcher").attach("x");
        lead(ann, "x", 7);
        ann.update("x", "");
        lead(bob, "x", 8);
        ann.take();
        watcher.take();
        ann.publish("x", Player.fenced("late", 7)).publish("x", Player.fenced("late", 8));
        assertThat(ann.received())
                .containsExactly(
                        "NACK #2 40911/409 fence 7 < 8: \"bob\" leads \"x\" in term 8",
                        "NACK #3 40911/409 fence 8: \"bob\" leads \"x\" in term 8, not you");
        assertThat(watcher.received()).isEmpty();
    }

    @Test
    void C10_a_fence_above_the_term_is_rejected_even_from_the_leader() {
        lead(ann, "x", 8);
        ann.publish("x", Player.fenced("early", 9));
        assertThat(ann.received()).containsExactly("NACK #1 40911/409 fence 9 > 8: \"ann\" leads \"x\" in term 8");
    }

    @Test
    void C10_without_a_leader_no_fence_is_valid() {
        bob.publish("x", Player.fenced("1", 1));
        lead(ann, "x", 7);
        ann.leave("x");
        bob.publish("x", Player.fenced("1", 7));
        assertThat(bob.received())
                .containsExactly(
                        "NACK #0 40911/409 fence 1: nobody leads \"x\" now",
                        "NACK #1 40911/409 fence 7: nobody leads \"x\" now; the last term was 7");
    }

    @Test
    void C10_a_member_whose_claim_waits_cannot_use_a_fence() {
        bob.enter("x", "leader").publish("y", "1").publish("x", Player.fenced("1", 1));
        stage.grant(1);
        assertThat(bob.received()).last().asString().startsWith("NACK #2 40911/409");
    }

    static Stream<JsonNode> noIntegers() {
        return Stream.of(
                JSON.numberNode(8.5),
                JSON.numberNode(1e300),
                JSON.textNode("eight"),
                JSON.textNode(""),
                JSON.textNode("-8"),
                JSON.textNode("8 "),
                JSON.textNode("9".repeat(19)),
                JSON.nullNode(),
                JSON.booleanNode(true),
                JSON.arrayNode(),
                JSON.objectNode());
    }

    @ParameterizedTest
    @MethodSource("noIntegers")
    void C10_a_fence_that_is_not_an_integer_is_rejected(JsonNode fence) {
        lead(ann, "x", 8);
        ann.publish("x", Player.fenced("1", fence));
        assertThat(ann.takeOnly().error().code()).isEqualTo(40911);
    }

    @Test
    void C10_a_fence_with_a_zero_fraction_is_valid_if_it_is_exact() {
        lead(ann, "x", 1L << 53);
        ann.publish("x", Player.fenced("1", JSON.numberNode(0x1p53)));
        lead(bob, "y", (1L << 53) + 2);
        bob.publish("y", Player.fenced("2", JSON.numberNode(0x1p53 + 2)));
        assertThat(ann.received()).containsExactly("ACK #1");
        assertThat(bob.takeOnly().error().code()).isEqualTo(40911);
    }

    @Test
    void C10_a_frame_with_one_invalid_fence_is_rejected_as_a_whole() {
        lead(ann, "x", 8);
        Player watcher = stage.connect("watcher").attach("x");
        watcher.take();
        ann.publish("x", Player.fenced("1", 8), Message.of(null, Data.text("2")), Player.fenced("3", 7));
        assertThat(ann.received()).containsExactly("NACK #1 40911/409 fence 7 < 8: \"ann\" leads \"x\" in term 8");
        assertThat(watcher.received()).isEmpty();
    }

    @Test
    void C10_a_connection_of_many_clients_uses_the_fence_as_its_leader_or_without_a_client_id() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.presence("x", Player.message(PresenceAction.ENTER, "a", "leader"));
        stage.grant(3);
        any.take();
        any.publish("x", Player.fenced("1", 3).withClientId("a"))
                .publish("x", Player.fenced("2", 3))
                .publish("x", Player.fenced("3", 3).withClientId("b"));
        assertThat(any.received())
                .containsExactly("ACK #1", "ACK #2", "NACK #3 40911/409 fence 3: \"a\" leads \"x\" in term 3, not you");
    }

    @Test
    void C10_the_leader_can_publish_after_a_resume_but_not_after_its_grace() {
        lead(ann, "x", 8);
        ann.drop();
        stage.pass(Duration.ofSeconds(10));
        ann.resume();
        ann.take();
        ann.publish("x", Player.fenced("1", 8));
        assertThat(ann.received()).containsExactly("ACK #1");
        ann.drop();
        stage.pass(Duration.ofSeconds(15));
        ann.resume();
        ann.take();
        ann.publish("x", Player.fenced("2", 8));
        assertThat(ann.takeOnly().error().code()).isEqualTo(40911);
    }

    @Test
    void C11_on_a_fenced_channel_only_the_leader_publishes() {
        ann.publish("only", "plain");
        assertThat(ann.received())
                .containsExactly(
                        "NACK #0 40911/409 channel \"only\" is fenced: only its leader publishes, with its term in"
                                + " extras.headers[\"doyen-term\"]");
        lead(ann, "only", 2);
        ann.publish("only", "plain").publish("only", Player.fenced("fenced", 2));
        assertThat(ann.take()).extracting(frame -> frame.action().toString()).containsExactly("NACK", "ACK");
        bob.publish("only", Player.fenced("fenced", 2));
        assertThat(bob.takeOnly().error().code()).isEqualTo(40911);
    }

    @Test
    void C11_a_final_star_fences_every_name_with_the_same_start() {
        bob.publish("jobs:a", "1")
                .publish("jobs", "1")
                .publish("[?rewind=1]jobs:b", "1")
                .publish("onlyx", "1");
        assertThat(bob.take())
                .extracting(frame -> frame.action().toString())
                .containsExactly("NACK", "ACK", "NACK", "ACK");
    }
}
