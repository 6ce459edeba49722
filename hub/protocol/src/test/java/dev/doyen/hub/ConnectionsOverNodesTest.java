package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Connections that move from and to one of several nodes. */
class ConnectionsOverNodesTest {

    private static final String TALK = "talk";
    private static final HubSettings SETTINGS = HubSettings.defaults();

    private final NodesInMemory company = new NodesInMemory(SETTINGS);
    private final NodesInMemory.Node here = company.node();
    private final NodesInMemory.Node there = company.node();

    @Test
    void a_node_that_has_not_joined_takes_nobody() {
        Player ann = company.new Node().stage.open(Map.of("key", Stage.KEY, "clientId", "ann"));
        assertThat(ann.heard())
                .containsExactly(
                        "DISCONNECTED 50003/503 this node has lost touch with the others; try again at another,"
                                + " or later");
        assertThat(ann.open).isFalse();
    }

    @Test
    void a_connection_whose_socket_is_lost_before_it_comes_is_waited_for_there() {
        Player ann = here.stage.connect("ann").enter(TALK, "hello");
        company.settle();
        ann.take();
        ann.resumeAt(there.stage);
        ann.drop();
        company.settle();
        assertThat(ann.take()).as("nothing is sent to a socket that is gone").isEmpty();
        assertThat(there.hub().connections()).isEqualTo(1);
        there.stage.pass(SETTINGS.remainPresentFor().minusMillis(1));
        company.settle();
        assertThat(there.stage.view(TALK).members()).isEqualTo(1);
        there.stage.pass(Duration.ofMillis(1));
        company.settle();
        assertThat(there.stage.view(TALK).members()).isZero();
        there.stage.pass(SETTINGS.connectionStateTtl());
        assertThat(there.hub().connections()).isZero();
    }

    @Test
    void the_timers_of_a_connection_that_left_do_not_end_it_after_it_has_come_back() {
        Player ann = here.stage.connect("ann");
        ann.drop();
        ann.resumeAt(there.stage);
        company.settle();
        ann.resumeAt(here.stage);
        company.settle();
        String id = ann.connectionId;
        here.stage.pass(SETTINGS.connectionStateTtl().plusSeconds(1));
        assertThat(here.hub().connections()).isEqualTo(1);
        ann.resume();
        assertThat(ann.connectionId).isEqualTo(id);
    }

    @Test
    void a_connection_that_was_closed_goes_on_at_no_node() {
        Player ann = here.stage.connect("ann");
        ann.close();
        ann.take();
        ann.resumeAt(there.stage);
        company.settle();
        assertThat(ann.takeOnly().error().code()).isEqualTo(80018);
    }

    @Test
    void a_frame_whose_answer_is_older_than_those_kept_is_not_served_again_at_another_node() {
        var few = new NodesInMemory(HubSettings.builder()
                .storedAcksPerConnection(2)
                .heldAcksPerConnection(2)
                .build());
        NodesInMemory.Node first = few.node();
        NodesInMemory.Node second = few.node();
        Player ann = first.stage.connect("ann").publish(":bad", "0");
        assertThat(ann.takeOnly().error().code())
                .as("refused, and so not in the log")
                .isEqualTo(40010);
        ann.publish(TALK, "1").publish(TALK, "2");
        few.settle();
        ann.resumeAt(second.stage);
        few.settle();
        ann.take();
        ann.send(Player.messageFrame(TALK, 0, Message.of(null, Data.text("0"))));
        few.settle();
        assertThat(ann.heard())
                .containsExactly(
                        "NACK #0 40000/400 msgSerial 0 comes after 2, and its answer is not among the last 2 kept");
    }

    @Test
    void a_hub_has_settled_once_all_that_it_has_decided_has_happened() {
        assertThat(new Stage().hub.isSettled()).as("by itself").isTrue();
        assertThat(here.hub().isSettled()).isTrue();
        here.stage.connect("ann").publish(TALK, "1");
        assertThat(here.hub().isSettled()).isFalse();
        company.settle();
        assertThat(here.hub().isSettled()).isTrue();
    }

    @Test
    void due_timers_fire_when_a_node_joins_again_even_if_nobody_woke_it() {
        Player ann = here.stage.connect("ann").enter(TALK, "{\"role\":\"L\",\"ttl\":2000}");
        here.stage.grant(1);
        company.settle();
        here.kill();
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "Redis was not heard of"));
        there.bury(here);
        company.settle();
        here.stage.passAsleep(Duration.ofSeconds(2));
        assertThat(here.stage.releases).isEmpty();
        here.join();
        assertThat(here.stage.releases).containsExactly(new Claimant(TALK, "ann", ann.connectionId));
    }
}
