package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests connections that move between the nodes of a hub. */
class ConnectionsOverNodesTest {

    private static final String TALK = "talk";
    private static final HubSettings SETTINGS = HubSettings.defaults();

    private final NodesInMemory cluster = new NodesInMemory(SETTINGS);
    private final NodesInMemory.Node here = cluster.node();
    private final NodesInMemory.Node there = cluster.node();

    @Test
    void a_node_that_has_not_joined_accepts_no_connection() {
        Player ann = cluster.new Node().stage.open(Map.of("key", Stage.KEY, "clientId", "ann"));
        assertThat(ann.received())
                .containsExactly(
                        "DISCONNECTED 50003/503 this node has lost the connection to the other nodes; try another node,"
                                + " or try later");
        assertThat(ann.open).isFalse();
    }

    @Test
    void the_grace_of_a_migrated_connection_starts_if_its_socket_was_lost() {
        Player ann = here.stage.connect("ann").enter(TALK, "hello");
        cluster.settle();
        ann.take();
        ann.resumeAt(there.stage);
        ann.drop();
        cluster.settle();
        assertThat(ann.take()).as("nothing is sent to a closed socket").isEmpty();
        assertThat(there.hub().counts().connections()).isEqualTo(1);
        there.stage.pass(SETTINGS.remainPresentFor().minusMillis(1));
        cluster.settle();
        assertThat(there.stage.view(TALK).members()).isEqualTo(1);
        there.stage.pass(Duration.ofMillis(1));
        cluster.settle();
        assertThat(there.stage.view(TALK).members()).isZero();
        there.stage.pass(SETTINGS.connectionStateTtl());
        assertThat(there.hub().counts().connections()).isZero();
    }

    @Test
    void the_members_of_a_connection_that_closes_after_its_move_leave_with_the_moved_connection() {
        Player ann = here.stage.connect("ann").enter(TALK, "hello");
        cluster.settle();
        Player moved = there.stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "resume", ann.key));
        ann.send(ProtocolMessage.of(Action.CLOSE));
        cluster.settle();
        assertThat(here.present(TALK)).as("the log rejects the departure").containsExactly("ann:hello");
        moved.send(ProtocolMessage.of(Action.CLOSE));
        cluster.settle();
        assertThat(there.present(TALK)).isEmpty();
        assertThat(here.present(TALK)).isEmpty();
    }

    @Test
    void a_claim_from_before_two_moves_ends_when_the_node_reads_it() {
        Player ann = here.stage.connect("ann").enter(TALK, "leader");
        Claimant former = here.stage.claims.get(0);
        ann.resumeAt(there.stage);
        while (there.step()) {}
        ann.take();
        // This node has not read that the connection has moved to the other node and back.
        ann.resumeAt(here.stage);
        here.stage.grant(former, 1);
        cluster.settle();
        assertThat(here.stage.releases).containsExactly(former);
        assertThat(here.present(TALK)).containsExactly("ann:");
        assertThat(there.present(TALK)).containsExactly("ann:");
        ann.send(ProtocolMessage.of(Action.CLOSE));
        cluster.settle();
        assertThat(here.present(TALK)).isEmpty();
        assertThat(there.present(TALK)).isEmpty();
    }

    @Test
    void old_timers_do_not_end_a_connection_that_returned() {
        Player ann = here.stage.connect("ann");
        ann.drop();
        ann.resumeAt(there.stage);
        cluster.settle();
        ann.resumeAt(here.stage);
        cluster.settle();
        String id = ann.connectionId;
        here.stage.pass(SETTINGS.connectionStateTtl().plusSeconds(1));
        assertThat(here.hub().counts().connections()).isEqualTo(1);
        ann.resume();
        assertThat(ann.connectionId).isEqualTo(id);
    }

    @Test
    void a_closed_connection_continues_on_no_node() {
        Player ann = here.stage.connect("ann");
        ann.close();
        ann.take();
        ann.resumeAt(there.stage);
        cluster.settle();
        assertThat(ann.takeOnly().error().code()).isEqualTo(80018);
    }

    @Test
    void a_frame_whose_answer_was_removed_is_not_repeated_on_another_node() {
        var few = new NodesInMemory(HubSettings.builder()
                .storedAcksPerConnection(2)
                .heldAcksPerConnection(2)
                .build());
        NodesInMemory.Node first = few.node();
        NodesInMemory.Node second = few.node();
        Player ann = first.stage.connect("ann").publish(":bad", "0");
        assertThat(ann.takeOnly().error().code())
                .as("the rejected frame is not in the log")
                .isEqualTo(40010);
        ann.publish(TALK, "1").publish(TALK, "2");
        few.settle();
        ann.resumeAt(second.stage);
        few.settle();
        ann.take();
        ann.send(Player.messageFrame(TALK, 0, Message.of(null, Data.text("0"))));
        few.settle();
        assertThat(ann.received())
                .containsExactly(
                        "NACK #0 40000/400 msgSerial 0 comes after 2, and its answer is not among the last 2 kept");
    }

    @Test
    void a_hub_is_settled_after_all_its_decisions_are_applied() {
        assertThat(new Stage().hub.isSettled()).as("a single hub is settled").isTrue();
        assertThat(here.hub().isSettled()).isTrue();
        here.stage.connect("ann").publish(TALK, "1");
        assertThat(here.hub().isSettled()).isFalse();
        cluster.settle();
        assertThat(here.hub().isSettled()).isTrue();
    }

    @Test
    void due_timers_fire_when_a_node_rejoins() {
        Player ann = here.stage.connect("ann").enter(TALK, "{\"role\":\"L\",\"ttl\":2000}");
        here.stage.grant(1);
        cluster.settle();
        here.kill();
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "Redis did not answer"));
        there.bury(here);
        cluster.settle();
        here.stage.passAsleep(Duration.ofSeconds(2));
        assertThat(here.stage.releases).isEmpty();
        here.join();
        assertThat(here.stage.releases).containsExactly(new Claimant(TALK, "ann", ann.connectionId));
    }
}
