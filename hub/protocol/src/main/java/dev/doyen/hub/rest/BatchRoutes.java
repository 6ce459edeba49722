package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.PostedBatch;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Routes {@code POST /messages} and {@code GET /presence} for several channels.
 *
 * <p>Each channel succeeds or fails independently.
 */
final class BatchRoutes {

    private static final int MAX_CHANNELS = PostedBatch.MAX_SPECS;

    private BatchRoutes() {}

    /**
     * Returns the answer to the request. The result is empty if this class does not serve the request's path and
     * method.
     */
    static Optional<Later<RestAnswer>> answer(Exchange exchange) throws Refusal {
        if (exchange.posts() && exchange.isAt("messages")) {
            return Optional.of(publish(exchange));
        }
        if (exchange.reads() && exchange.isAt("presence")) {
            return Optional.of(presence(exchange));
        }
        return Optional.empty();
    }

    private static Later<RestAnswer> publish(Exchange exchange) throws Refusal {
        Access access = exchange.access();
        String identity = access.resolveClientId(exchange.requestedClientId());
        PostedBatch batch = exchange.batch();
        checkCount(
                batch.specs().stream().mapToInt(spec -> spec.channels().size()).sum());
        exchange.book.countPublished(batch.specs().stream()
                .mapToInt(spec -> spec.channels().size() * spec.messages().size())
                .sum());
        var specs = new ArrayList<Results>();
        for (PostedBatch.Spec spec : batch.specs()) {
            var results = new Results("channel");
            for (String channel : spec.channels()) {
                results.add(channel, () -> published(exchange, access, identity, channel, spec));
            }
            specs.add(results);
        }
        if (!exchange.countsResults()) {
            return Later.all(specs.stream().map(Results::list).toList()).map(lists -> {
                var flat = JsonNodeFactory.instance.arrayNode();
                lists.forEach(flat::addAll);
                return exchange.answer(201, flat);
            });
        }
        return Later.all(specs.stream().map(Results::tree).toList()).map(trees -> {
            var all = JsonNodeFactory.instance.arrayNode().addAll(trees);
            return exchange.answer(201, batch.listed() ? all : all.get(0));
        });
    }

    private static Later<ObjectNode> published(
            Exchange exchange, Access access, @Nullable String identity, String channel, PostedBatch.Spec spec)
            throws Refusal {
        String key = ChannelRoutes.connectionKey(spec.messages());
        return exchange.book
                .publish(access, new Posting(channel, spec.plain(), key, identity))
                .map(published ->
                        JsonNodeFactory.instance.objectNode().put("messageId", ChannelRoutes.baseId(published)));
    }

    private static Later<RestAnswer> presence(Exchange exchange) throws Refusal {
        Access access = exchange.access();
        String names = exchange.query.text("channels");
        List<String> channels = names == null ? List.of() : List.of(names.split(",", -1));
        checkCount(channels.size());
        var results = new Results("channel");
        for (String channel : channels) {
            results.add(channel, () -> {
                Page<PresenceMessage> members =
                        exchange.book.members(access, channel, MemberQuery.read(exchange.query));
                ObjectNode result = JsonNodeFactory.instance.objectNode();
                result.set("presence", exchange.presenceTree(members.items()));
                return Later.of(result);
            });
        }
        return results.of(exchange).map(tree -> exchange.answer(200, tree));
    }

    private static void checkCount(int channels) throws Refusal {
        if (channels < 1 || channels > MAX_CHANNELS) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST, "the request names " + channels + " channels; give 1 to " + MAX_CHANNELS);
        }
    }
}
