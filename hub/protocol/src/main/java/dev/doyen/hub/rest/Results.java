package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.List;

/** Collects the results of the parts of a request. Each part succeeds or fails independently. */
final class Results {

    private static final String ERROR = "error";

    interface Attempt {
        Later<ObjectNode> result() throws Refusal;
    }

    private final String named;
    private final List<Later<ObjectNode>> each = new ArrayList<>();

    /**
     * @param named the name of the field that identifies the part in its result
     */
    Results(String named) {
        this.named = named;
    }

    void add(String which, Attempt attempt) {
        each.add(tried(attempt)
                .map(result -> entry(which).setAll(result))
                .map(result -> (ObjectNode) result)
                .orElse(refusal -> entry(which).set(ERROR, Exchange.tree(refusal.error()))));
    }

    /** Returns the results in the form that the client of this request expects. */
    Later<JsonNode> of(Exchange exchange) {
        return exchange.countsResults() ? tree() : list().map(list -> list);
    }

    /** Returns the results as a flat list. */
    Later<ArrayNode> list() {
        return Later.all(each)
                .map(results -> JsonNodeFactory.instance.arrayNode().addAll(results));
    }

    /** Returns the results with the numbers of successes and failures. */
    Later<JsonNode> tree() {
        return Later.all(each).map(results -> {
            long failures = results.stream().filter(result -> result.has(ERROR)).count();
            ObjectNode tree = JsonNodeFactory.instance
                    .objectNode()
                    .put("successCount", results.size() - failures)
                    .put("failureCount", failures);
            tree.putArray("results").addAll(results);
            return tree;
        });
    }

    private ObjectNode entry(String which) {
        return JsonNodeFactory.instance.objectNode().put(named, which);
    }

    private static Later<ObjectNode> tried(Attempt attempt) {
        try {
            return attempt.result();
        } catch (Refusal refusal) {
            return Later.refused(refusal);
        }
    }
}
