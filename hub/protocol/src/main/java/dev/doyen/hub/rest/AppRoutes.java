package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Routes {@code /apps} and {@code /stats}, which the test suites of SDKs call before their tests.
 *
 * <p>These routes exist on a sandbox hub only.
 */
final class AppRoutes {

    private static final int MAX_KEYS = 20;
    private static final int MAX_CHANNELS = 20;
    private static final String EVERYTHING = "{\"*\":[\"*\"]}";

    private static final Pattern LOCAL_ORIGIN =
            Pattern.compile("https?://(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1])(?::[0-9]{1,5})?");

    private AppRoutes() {}

    /**
     * Returns the answer to the request. The result is empty if this class does not serve the request's path and
     * method.
     */
    static Optional<RestAnswer> answer(Exchange exchange) throws Refusal {
        AppBook apps = exchange.book.apps();
        if (apps == null) {
            return Optional.empty();
        }
        if (exchange.posts() && exchange.isAt("apps")) {
            checkOrigin(exchange.request);
            return Optional.of(create(exchange, apps));
        }
        if (exchange.request.method().equals("DELETE") && exchange.isAt("apps", "*")) {
            apps.delete(exchange.access(), exchange.path.get(1));
            return Optional.of(exchange.answer(200, JsonNodeFactory.instance.objectNode()));
        }
        if (exchange.posts() && exchange.isAt("stats")) {
            // Test suites upload statistics of the past. The hub accepts and ignores these statistics.
            exchange.access();
            exchange.tree();
            return Optional.of(exchange.answer(201, JsonNodeFactory.instance.objectNode()));
        }
        if (exchange.reads() && exchange.isAt("stats")) {
            exchange.access();
            return Optional.of(exchange.page(new Page<JsonNode>(List.of(), null)));
        }
        return Optional.empty();
    }

    /**
     * Rejects requests from pages of other machines.
     *
     * <p>The check is necessary because a request that creates an app needs no credentials and returns keys.
     */
    private static void checkOrigin(RestRequest request) throws Refusal {
        String origin = request.header("origin");
        if (origin != null && !LOCAL_ORIGIN.matcher(origin).matches()) {
            throw new Refusal(
                    ErrorCode.NOT_FROM_HERE,
                    "a page of " + Quote.of(origin) + " may not create an app; only pages of this machine may");
        }
    }

    private static RestAnswer create(Exchange exchange, AppBook apps) throws Refusal {
        JsonNode body = exchange.tree();
        var capabilities = new ArrayList<String>();
        for (JsonNode key : list(body, "keys", MAX_KEYS)) {
            JsonNode capability = key.path("capability");
            capabilities.add(
                    capability.isMissingNode() || capability.isNull()
                            ? EVERYTHING
                            : capability.isTextual() ? capability.textValue() : capability.toString());
        }
        if (capabilities.isEmpty()) {
            capabilities.add(EVERYTHING);
        }
        Map<String, List<PresenceMessage>> members = new LinkedHashMap<>();
        for (JsonNode channel : list(body, "channels", MAX_CHANNELS)) {
            var entries = JsonNodeFactory.instance.arrayNode();
            for (JsonNode member : list(channel, "presence", Integer.MAX_VALUE)) {
                entries.add(
                        member.deepCopy() instanceof ObjectNode entry
                                ? entry.put("action", PresenceAction.ENTER.code())
                                : member);
            }
            members.put(channel.path("name").asText(), exchange.presence(entries));
        }
        ObjectNode app = apps.create(new AppBook.Plan(capabilities, members));
        app.set("namespaces", list(body, "namespaces", Integer.MAX_VALUE));
        app.set("channels", list(body, "channels", Integer.MAX_VALUE));
        return exchange.answer(201, app);
    }

    private static JsonNode list(JsonNode parent, String name, int most) throws Refusal {
        JsonNode list = parent.path(name);
        if (list.isMissingNode() || list.isNull()) {
            return JsonNodeFactory.instance.arrayNode();
        }
        if (!list.isArray() || list.size() > most) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    name + " must be a list" + (most == Integer.MAX_VALUE ? "" : " of at most " + most));
        }
        return list;
    }
}
