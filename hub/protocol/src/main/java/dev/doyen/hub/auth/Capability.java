package dev.doyen.hub.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The operations that are allowed on channels, such as {@code {"orders:*": ["publish", "lead"]}}.
 *
 * <p>Two capabilities are equal if they contain the same resources and operations in any order. Instances are
 * immutable. Source: Ably's capabilities (token specification TK2c, TE3), extended by {@code lead} and {@code admin}.
 */
public final class Capability {

    /** The capability that allows every operation on every channel. */
    public static final Capability ALL =
            new Capability(new TreeMap<>(Map.of(Operation.ANY, new TreeSet<>(Set.of(Operation.ANY)))));

    /** The capability that allows nothing. */
    static final Capability NONE = new Capability(new TreeMap<>());

    private static final int MAX_TEXT_LENGTH = 16_384;
    private static final int MAX_RESOURCES = 200;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private final SortedMap<String, SortedSet<String>> operations;
    /**
     * The allowed operations with parsed resource patterns. The patterns are parsed once, because the hub checks every
     * frame.
     */
    private final List<AllowedOperations> grants;

    private record AllowedOperations(ResourcePattern resource, SortedSet<String> operations) {}

    private Capability(SortedMap<String, SortedSet<String>> operations) {
        this.operations = operations;
        this.grants = operations.entrySet().stream()
                .map(each -> new AllowedOperations(ResourcePattern.of(each.getKey()), each.getValue()))
                .toList();
    }

    /** Parses a capability. Throws a {@link Refusal} if the text is invalid or allows nothing. */
    public static Capability parse(String text) throws Refusal {
        if (text.length() > MAX_TEXT_LENGTH) {
            throw bad("has " + text.length() + " characters; at most " + MAX_TEXT_LENGTH + " are allowed");
        }
        try {
            return of(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            throw bad("is not JSON; write it like {\"orders:*\":[\"publish\",\"subscribe\"]}");
        }
    }

    /** Reads a capability. Throws a {@link Refusal} if the tree is invalid or allows nothing. */
    public static Capability of(JsonNode tree) throws Refusal {
        if (!tree.isObject() || tree.isEmpty()) {
            throw bad("is not an object of channels; write it like {\"orders:*\":[\"publish\",\"subscribe\"]}");
        }
        if (tree.size() > MAX_RESOURCES) {
            throw bad("names " + tree.size() + " resources; at most " + MAX_RESOURCES + " are allowed");
        }
        var operations = new TreeMap<String, SortedSet<String>>();
        for (var resource : tree.properties()) {
            if (resource.getKey().isEmpty()) {
                throw bad("names a channel without a name; name it, or write \"*\" for all");
            }
            operations.put(resource.getKey(), operationsOf(resource.getKey(), resource.getValue()));
        }
        return new Capability(operations);
    }

    /** Returns true if the capability allows an operation on a channel. The channel name must have no qualifier. */
    public boolean allows(String channel, Operation operation) {
        for (AllowedOperations grant : grants) {
            if (includes(grant.operations(), operation) && grant.resource().matches(channel)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns true if the capability allows an operation on at least one channel. Operations that concern no single
     * channel use this check.
     */
    public boolean allowsSomewhere(Operation operation) {
        return operations.values().stream().anyMatch(allowed -> includes(allowed, operation));
    }

    /** Returns the operations that both capabilities allow. The result can be empty. */
    public Capability intersect(Capability other) {
        var both = new TreeMap<String, SortedSet<String>>();
        for (AllowedOperations mine : grants) {
            for (AllowedOperations theirs : other.grants) {
                SortedSet<String> shared = shared(mine.operations(), theirs.operations());
                if (!shared.isEmpty()) {
                    mine.resource()
                            .intersect(theirs.resource())
                            .ifPresent(resource -> both.merge(resource.toString(), shared, Capability::united));
                }
            }
        }
        return new Capability(both);
    }

    /** Returns true if the capability allows nothing. */
    public boolean isEmpty() {
        return operations.isEmpty();
    }

    /** Returns the canonical form: JSON without spaces, with sorted resources and operations. */
    public String text() {
        var tree = JsonNodeFactory.instance.objectNode();
        operations.forEach((resource, allowed) -> allowed.forEach(tree.putArray(resource)::add));
        return tree.toString();
    }

    private static SortedSet<String> operationsOf(String resource, JsonNode given) throws Refusal {
        if (!given.isArray() || given.isEmpty()) {
            throw bad("gives " + Quote.of(resource) + " no list of operations; leave the channel out, or name some");
        }
        var allowed = new TreeSet<String>();
        for (JsonNode operation : given) {
            String name = operation.isTextual() ? operation.textValue() : "";
            if (!name.equals(Operation.ANY) && !Operation.isKnown(name)) {
                throw bad("gives " + Quote.of(resource) + " the operation " + Quote.of(operation.toString())
                        + ", which is unknown");
            }
            allowed.add(name);
        }
        if (allowed.contains(Operation.ANY) && allowed.size() > 1) {
            throw bad("gives " + Quote.of(resource) + " \"*\" beside other operations; \"*\" alone is all of them");
        }
        return allowed;
    }

    private static boolean includes(Set<String> allowed, Operation operation) {
        return allowed.contains(Operation.ANY) || allowed.contains(operation.spelling());
    }

    private static SortedSet<String> shared(SortedSet<String> some, SortedSet<String> others) {
        if (some.contains(Operation.ANY)) {
            return others;
        }
        if (others.contains(Operation.ANY)) {
            return some;
        }
        var both = new TreeSet<>(some);
        both.retainAll(others);
        return both;
    }

    private static SortedSet<String> united(SortedSet<String> some, SortedSet<String> others) {
        if (some.contains(Operation.ANY)) {
            return some;
        }
        if (others.contains(Operation.ANY)) {
            return others;
        }
        var all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }

    private static Refusal bad(String sentence) {
        return new Refusal(ErrorCode.BAD_REQUEST, "the capability " + sentence);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Capability that && operations.equals(that.operations);
    }

    @Override
    public int hashCode() {
        return operations.hashCode();
    }

    @Override
    public String toString() {
        return "Capability" + text();
    }
}
