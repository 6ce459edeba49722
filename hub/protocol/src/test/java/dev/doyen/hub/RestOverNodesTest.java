package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.settings.HubSettings;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** HTTP requests to one of several nodes, whose answers may arrive later. */
class RestOverNodesTest {

    private static final String MESSAGES = "/channels/talk/messages";
    private static final byte[] ONE = "{\"data\":\"1\"}".getBytes(StandardCharsets.UTF_8);

    private final NodesInMemory company = new NodesInMemory(HubSettings.defaults());

    @Test
    void a_publish_is_answered_once_it_is_in_the_log_and_heard_on_all_nodes() {
        NodesInMemory.Node here = company.node();
        Player ben = company.node().stage.connect("ben").attach("talk");
        ben.take();
        var answer = new Asker(here.stage).begin("POST", MESSAGES, ONE);
        assertThat(ben.take()).isEmpty();
        company.settle();
        assertThat(answer.get().status()).isEqualTo(201);
        assertThat(ben.heard()).containsExactly("MESSAGE talk '1'");
    }

    @Test
    void a_publish_whose_node_loses_touch_is_answered_with_that() {
        NodesInMemory.Node here = company.node();
        here.cut = true;
        var answer = new Asker(here.stage).begin("POST", MESSAGES, ONE);
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "Redis was not heard of"));
        assertThat(answer.get().error())
                .isEqualTo("50003/503 this node has lost touch with the others; try again at another, or later");
    }

    @Test
    void a_node_that_has_not_joined_answers_with_that_whatever_it_is_asked() {
        var asker = new Asker(company.new Node().stage);
        for (String target : new String[] {"/time", MESSAGES, "/nothing"}) {
            assertThat(asker.get(target).error()).startsWith("50003/503 this node has lost touch with the others");
        }
    }
}
