package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.request.Revoking;
import dev.doyen.hub.settings.HubSettings;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests HTTP requests to one of several nodes. The node answers a publish only after it has read the message from the
 * nodes' log. It answers a revocation at once.
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

    @Test
    void a_revocation_that_did_not_reach_the_log_reaches_the_other_nodes_when_its_node_joins_again() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = connectedByToken(there);
        here.cut = true;
        assertThat(revoke(here, false)).isEqualTo(201);
        joinAgain(here, there);
        cluster.settle();
        assertThat(ann.received()).containsExactly("DISCONNECTED 40141/401 the token was revoked");

        joinAgain(here, there);
        cluster.settle();
        assertThat(revocations()).as("the node has read its revocation").isEqualTo(1);
    }

    @Test
    void a_revocation_whose_margin_ends_at_a_disconnected_node_reaches_the_other_nodes_later() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = connectedByToken(there);
        assertThat(revoke(here, true)).isEqualTo(201);
        here.cut = true;
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "Redis did not answer"));
        here.stage.pass(Revoking.MARGIN);
        joinAgain(here, there);
        cluster.settle();
        assertThat(ann.received()).containsExactly("DISCONNECTED 40141/401 the token was revoked");
    }

    @Test
    void a_revocation_that_a_node_reads_when_it_joins_is_not_appended_again() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        revoke(here, false);
        joinAgain(here, there);
        cluster.settle();
        assertThat(revocations()).isEqualTo(1);
    }

    /** Connects a client with a token of the key whose tokens {@link #revoke} revokes. */
    private static Player connectedByToken(NodesInMemory.Node node) {
        String token = new RestClient(node.stage)
                .post("/keys/app.key/requestToken", "{\"clientId\":\"ann\"}")
                .tree()
                .path("token")
                .asText();
        Player ann = node.stage.open(Map.of("access_token", token));
        ann.take();
        return ann;
    }

    /** Revokes the tokens of a client. Returns the status of the answer. */
    private static int revoke(NodesInMemory.Node node, boolean withMargin) {
        String body = "{\"targets\":[\"clientId:ann\"],\"allowReauthMargin\":" + withMargin + "}";
        return new RestClient(node.stage)
                .post("/keys/app.key/revokeTokens", body)
                .status();
    }

    /** Lets a node lose its membership and all effects that have not reached the log, and join again. */
    private static void joinAgain(NodesInMemory.Node node, NodesInMemory.Node other) {
        node.stage.carry(node.hub().outOfTouch(node.stage.now(), "Redis did not answer"));
        node.kill();
        other.bury(node);
        node.mend();
        node.join();
    }

    private long revocations() {
        return cluster.log.stream()
                .filter(entry -> entry.text().contains("\"revoked\""))
                .count();
    }
}
