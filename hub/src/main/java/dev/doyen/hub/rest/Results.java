package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.Refusal;

/** What became of many things that one request asks for: each succeeds or fails for itself. */
final class Results {

    interface Attempt {
        ObjectNode result() throws Refusal;
    }

    private final String named;
    private final ArrayNode each = JsonNodeFactory.instance.arrayNode();
    private int successes;

    /** @param named the field that says which one it is */
    Results(String named) {
        this.named = named;
    }

    void add(String which, Attempt attempt) {
        ObjectNode result = each.addObject().put(named, which);
        try {
            result.setAll(attempt.result());
            successes++;
        } catch (Refusal refusal) {
            result.set("error", Exchange.tree(refusal.error()));
        }
    }

    ArrayNode list() {
        return each;
    }

    JsonNode tree() {
        ObjectNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("successCount", successes)
                .put("failureCount", each.size() - successes);
        tree.set("results", each);
        return tree;
    }
}
