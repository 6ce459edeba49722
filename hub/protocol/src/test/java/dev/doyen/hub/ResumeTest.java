package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that a connection outlasts its sockets for a limited time. */
class ResumeTest {

    private final Stage stage = new Stage();

    @Test
    void a_resumed_connection_keeps_its_id_and_gets_a_new_key() {
        Player ann = stage.connect("ann");
        String id = ann.connectionId;
        String first = ann.key;
        ann.drop();
        ann.resume();
        String second = ann.key;
        assertThat(ann.connectionId).isEqualTo(id);
        assertThat(second).isNotEqualTo(first);
        ann.drop();
        ann.key = first;
        ann.resume();
        assertThat(ann.received()).as("an older key is valid too").containsExactly("CONNECTED", "CONNECTED");
        assertThat(ann.connectionId).isEqualTo(id);
    }

    @Test
    void recover_is_the_same_as_resume() {
        Player ann = stage.connect("ann");
        ann.drop();
        Player successor = stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "recover", ann.key));
        assertThat(successor.takeOnly().connectionId()).isEqualTo(ann.connectionId);
    }

    @Test
    void keys_older_than_the_last_eight_are_removed() {
        Player ann = stage.connect("ann");
        String first = ann.key;
        String id = ann.connectionId;
        for (int i = 0; i < 8; i++) {
            ann.drop();
            ann.resume();
        }
        ann.drop();
        ann.key = first;
        ann.resume();
        assertThat(ann.connectionId).isNotEqualTo(id);
    }

    @Test
    void an_invalid_key_gets_a_new_connection_with_the_reason() {
        Player ann = stage.connect("ann");
        for (String bad : List.of("", "nonsense", "!", ann.connectionId + "!forged", ann.key + "x", "nobody!x")) {
            Player player = stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "resume", bad));
            assertThat(player.connectionId).isNotEqualTo(ann.connectionId);
            assertThat(player.received())
                    .containsExactly("CONNECTED 80018/400 the connection to resume does not exist; this is a"
                            + " new connection");
        }
        assertThat(ann.received())
                .as("the owner of the connection receives nothing")
                .isEmpty();
    }

    @Test
    void another_client_id_cannot_take_over_a_connection() {
        Player ann = stage.connect("ann");
        Player eve = stage.open(Map.of("key", Stage.KEY, "clientId", "eve", "resume", ann.key));
        assertThat(eve.received())
                .containsExactly("CONNECTED 80011/400 the connection to resume belongs to another client; this is a new"
                        + " connection");
        assertThat(eve.connectionId).isNotEqualTo(ann.connectionId);
        assertThat(ann.open).isTrue();
    }

    @Test
    void state_is_kept_for_connection_state_ttl() {
        Player ann = stage.connect("ann");
        String id = ann.connectionId;
        ann.drop();
        stage.pass(Duration.ofMillis(119_999));
        ann.resume();
        assertThat(ann.connectionId).isEqualTo(id);
        ann.drop();
        stage.pass(Duration.ofMinutes(2));
        ann.resume();
        assertThat(ann.connectionId).isNotEqualTo(id);
    }

    @Test
    void a_second_socket_replaces_the_first_without_a_leave() {
        Player ann = stage.connect("ann").attach("x").enter("x", "here");
        Player bob = stage.connect("bob").attach("x");
        ann.take();
        bob.take();
        SessionId old = ann.session;

        ann.resume();

        assertThat(ann.received())
                .containsExactly("DISCONNECTED 80003/400 another socket resumed this connection", "CONNECTED");
        assertThat(stage.effects).contains(new HubEffect.Close(old));
        assertThat(stage.view("x").attachments())
                .as("only bob's attachment remains")
                .isEqualTo(1);
        stage.pass(Duration.ofMinutes(1));
        assertThat(bob.received().stream().filter(line -> !line.equals("HEARTBEAT")))
                .isEmpty();
        assertThat(stage.view("x").members()).isEqualTo(1);
    }

    @Test
    void attachments_do_not_survive_the_socket() {
        Player ann = stage.connect("ann").attach("x");
        ann.drop();
        ann.resume();
        ann.take();
        stage.connect("bob").publish("x", "hi");
        assertThat(ann.received()).isEmpty();
        assertThat(stage.view("x").attachments()).isZero();
    }

    @Test
    void members_stay_during_a_short_loss_and_leave_after_the_grace() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.connect("ann").enter("x", "here");
        bob.take();
        ann.drop();
        stage.pass(Duration.ofMillis(14_999));
        ann.resume();
        stage.pass(Duration.ofSeconds(30));
        assertThat(bob.received()).doesNotContain("PRESENCE x leave:ann'here'");
        ann.drop();
        stage.pass(Duration.ofSeconds(15));
        assertThat(bob.received()).contains("PRESENCE x leave:ann'here'");
    }

    @Test
    void members_whose_grace_ends_at_the_same_time_leave_in_the_order_they_were_lost() {
        Player watcher = stage.connect("watcher").attach("x");
        List<Player> members = List.of("c", "a", "b").stream()
                .map(clientId -> stage.connect(clientId).enter("x", "here"))
                .toList();
        watcher.take();
        members.forEach(Player::drop);
        stage.pass(Duration.ofSeconds(15));
        assertThat(watcher.received().stream().filter(line -> !line.equals("HEARTBEAT")))
                .containsExactly("PRESENCE x leave:c'here'", "PRESENCE x leave:a'here'", "PRESENCE x leave:b'here'");
    }

    @Test
    void remain_present_for_sets_the_grace() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "remainPresentFor", "1000"));
        ann.enter("x", "here");
        bob.take();
        ann.drop();
        stage.pass(Duration.ofMillis(999));
        assertThat(bob.received()).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(bob.received()).containsExactly("PRESENCE x leave:ann'here'");
    }

    @Test
    void a_repeated_publish_gets_the_same_answer_and_is_not_published_twice() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.connect("ann").publish("x", "one");
        var answer = ann.takeOnly();
        ann.drop();
        ann.resume();
        bob.take();
        ann.take();

        ann.send(Player.messageFrame("x", 0, Message.of(null, Data.text("one"))));
        ann.send(Player.messageFrame("x", 1, Message.of(null, Data.text("two"))));

        assertThat(ann.take().get(0)).isEqualTo(answer);
        assertThat(bob.received()).containsExactly("MESSAGE x 'two'");
    }

    @Test
    void a_repeated_rejected_frame_gets_the_same_answer() {
        Player ann = stage.connect("ann");
        var bad = Player.messageFrame(":bad", 0, Message.of(null, Data.text("one")));
        ann.send(bad);
        var answer = ann.takeOnly();
        assertThat(answer.error().code()).isEqualTo(40010);
        ann.send(bad);
        assertThat(ann.takeOnly()).isEqualTo(answer);
    }

    @Test
    void answers_are_stored_up_to_a_limit() {
        var small = new Stage(HubSettings.builder()
                .storedAcksPerConnection(2)
                .heldAcksPerConnection(2)
                .build());
        Player ann = small.connect("ann").publish("x", "0").publish("x", "1").publish("x", "2");
        ann.take();
        ann.send(Player.messageFrame("x", 2, Message.of(null, Data.text("2"))));
        ann.send(Player.messageFrame("x", 1, Message.of(null, Data.text("1"))));
        ann.send(Player.messageFrame("x", 0, Message.of(null, Data.text("0"))));
        assertThat(ann.received())
                .containsExactly(
                        "ACK #2",
                        "ACK #1",
                        "NACK #0 40000/400 msgSerial 0 comes after 2, and its answer is not among the last 2 kept");
    }

    @Test
    void after_a_failed_resume_serials_start_again_at_zero() {
        Player ann = stage.connect("ann").publish("x", "one");
        ann.drop();
        stage.pass(Duration.ofMinutes(3));
        ann.resume();
        ann.take();
        ann.publish("x", "again");
        assertThat(ann.received()).containsExactly("ACK #0");
    }

    @Test
    void after_a_failed_resume_the_new_member_enters_and_the_old_one_leaves() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.connect("ann").enter("x", "here");
        ann.drop();
        bob.take();
        var query = new LinkedHashMap<>(Map.of("key", Stage.KEY, "clientId", "ann", "resume", "lost!key"));
        Player again = stage.open(query);
        again.enter("x", "here");
        stage.pass(Duration.ofSeconds(15));
        assertThat(bob.received().stream().filter(line -> !line.equals("HEARTBEAT")))
                .containsExactly("PRESENCE x enter:ann'here'", "PRESENCE x leave:ann'here'");
        assertThat(stage.view("x").members()).isEqualTo(1);
    }

    @Test
    void due_timers_fire_before_an_input() {
        Player ann = stage.connect("ann").enter("x", "here");
        ann.drop();
        stage.passAsleep(Duration.ofSeconds(16));
        ann.resume();
        assertThat(stage.view("x").members()).isZero();
    }

    @Test
    void due_timers_fire_before_the_loss_of_a_socket() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.connect("ann").enter("x", "here");
        Player eve = stage.connect("eve");
        bob.take();
        ann.drop();
        stage.passAsleep(Duration.ofSeconds(16));
        eve.drop();
        assertThat(bob.received()).contains("PRESENCE x leave:ann'here'");
    }
}
