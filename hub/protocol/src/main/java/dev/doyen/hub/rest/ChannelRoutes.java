package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PostedMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes {@code /channels} and the paths below it. */
final class ChannelRoutes {

    private ChannelRoutes() {}

    /**
     * Returns the answer to the request. The result is empty if this class does not serve the request's path and
     * method.
     */
    static Optional<Later<RestAnswer>> answer(Exchange exchange) throws Refusal {
        if (exchange.reads()) {
            return read(exchange).map(Later::of);
        }
        return exchange.posts() && exchange.isAt("channels", "*", "messages")
                ? Optional.of(publish(exchange))
                : Optional.empty();
    }

    private static Optional<RestAnswer> read(Exchange exchange) throws Refusal {
        if (exchange.isAt("channels")) {
            return Optional.of(list(exchange));
        }
        if (exchange.isAt("channels", "*")) {
            var status = exchange.book.status(exchange.access(), channel(exchange));
            return Optional.of(exchange.answer(200, status.tree()));
        }
        if (exchange.isAt("channels", "*", "messages") || exchange.isAt("channels", "*", "history")) {
            return Optional.of(exchange.messages(
                    exchange.book.messages(exchange.access(), channel(exchange), HistoryQuery.read(exchange.query))));
        }
        if (exchange.isAt("channels", "*", "presence")) {
            return Optional.of(exchange.presence(
                    exchange.book.members(exchange.access(), channel(exchange), MemberQuery.read(exchange.query))));
        }
        if (exchange.isAt("channels", "*", "presence", "history")) {
            return Optional.of(exchange.presence(exchange.book.presenceHistory(
                    exchange.access(), channel(exchange), HistoryQuery.read(exchange.query))));
        }
        return Optional.empty();
    }

    private static RestAnswer list(Exchange exchange) throws Refusal {
        Access access = exchange.access();
        String prefix = exchange.query.text("prefix");
        Page<String> names = exchange.book.channels(
                access, prefix == null ? "" : prefix, exchange.query.limit(), exchange.query.text(Query.CURSOR));
        boolean byId = "id".equals(exchange.query.text("by"));
        var items = new ArrayList<JsonNode>();
        for (String name : names.items()) {
            items.add(
                    byId
                            ? TextNode.valueOf(name)
                            : exchange.book.status(access, name).tree());
        }
        return exchange.page(new Page<>(items, names.next()));
    }

    private static Later<RestAnswer> publish(Exchange exchange) throws Refusal {
        Access access = exchange.access();
        List<PostedMessage> posted = exchange.messages();
        exchange.book.countPublished(posted.size());
        List<Message> messages = posted.stream().map(PostedMessage::message).toList();
        var posting = new Posting(
                channel(exchange),
                messages,
                connectionKey(posted),
                access.resolveClientId(exchange.requestedClientId()));
        return exchange.book.publish(access, posting).map(published -> published(exchange, posting, published));
    }

    private static RestAnswer published(Exchange exchange, Posting posting, List<Message> published) {
        var answer = JsonNodeFactory.instance
                .objectNode()
                .put("channel", posting.channel())
                .put("messageId", baseId(published));
        var serials = answer.putArray("serials");
        published.forEach(message -> serials.add(message.serial()));
        return exchange.answer(201, answer);
    }

    static @Nullable String connectionKey(List<PostedMessage> posted) throws Refusal {
        List<String> keys = posted.stream()
                .map(PostedMessage::connectionKey)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (keys.size() > 1 || (keys.size() == 1 && posted.stream().anyMatch(one -> one.connectionKey() == null))) {
            throw new Refusal(
                    ErrorCode.NO_SUCH_CONNECTION,
                    "the messages have different connectionKeys; give all messages the same connectionKey, or none");
        }
        return keys.isEmpty() ? null : keys.get(0);
    }

    /**
     * Returns the first message id without its index. If the hub has generated the ids, all messages share this part.
     */
    static String baseId(List<Message> published) {
        String first = String.valueOf(published.get(0).id());
        return first.endsWith(":0") ? first.substring(0, first.length() - 2) : first;
    }

    private static String channel(Exchange exchange) {
        return exchange.path.get(1);
    }
}
