package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.settings.HubSettings;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * Tests HTTP requests to one of several nodes. The node answers a publish only after it has read the message from the
 * nodes' log.
 */
class RestOverNodesTest {

    private static final String MESSAGES = "/channels/talk/messages";
    private static final byte[] ONE = "{\"data\":\"1\"}".getBytes(StandardCharsets.UTF_8);

    private final NodesInMemory cluster = new NodesInMemory(HubSettings.defaults());

    @Test
    void a_publish_is_answered_when_it_is_in_the_log() {
        NodesInMemory.Node here = cluster.node();
        Player ben = cluster.node().stage.connect("ben").attach("talk");
        ben.take();
        var answer = new RestClient(here.stage).begin("POST", MESSAGES, ONE);
        assertThat(ben.take()).isEmpty();
        cluster.settle();
        assertThat(answer.get().status()).isEqualTo(201);
        assertThat(ben.received()).containsExactly("MESSAGE talk '1'");
    }

    @Test
    void a_publish_at_a_disconnected_node_is_rejected() {
        NodesInMemory.Node here = cluster.node();
        here.cut = true;
        var answer = new RestClient(here.stage).begin("POST", MESSAGES, ONE);
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "Redis did not answer"));
        assertThat(answer.get().error())
                .isEqualTo(
                        "50003/503 this node has lost the connection to the other nodes; try another node, or try later");
    }

    @Test
    void a_node_that_has_not_joined_rejects_requests() {
        var client = new RestClient(cluster.new Node().stage);
        for (String target : new String[] {"/time", MESSAGES, "/nothing"}) {
            assertThat(client.get(target).error())
                    .startsWith("50003/503 this node has lost the connection to the other nodes");
        }
    }
}
