package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Routes {@code /apps} and {@code /stats}, which the test suites of SDKs call before their tests.
 *
 * <p>These routes exist on a sandbox hub only.
 */
final class AppRoutes {

    private static final int MAX_KEYS = 20;
    private static final int MAX_CHANNELS = 20;
    private static final int MAX_MEMBERS = 10_000;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final String EVERYTHING = "{\"*\":[\"*\"]}";

    /** The name or address in a header Host, and its port. The address of IPv6 is in brackets. */
    private static final Pattern HOST =
            Pattern.compile("(?<name>[A-Za-z0-9._-]{1,253}|\\[[0-9a-fA-F:.]{2,45}])(?::(?<port>[0-9]{1,5}))?");

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
        var fixtures = new ArrayList<AppBook.Fixture>();
        for (JsonNode channel : list(body, "channels", MAX_CHANNELS)) {
            var entries = JsonNodeFactory.instance.arrayNode();
            for (JsonNode member : list(channel, "presence", Integer.MAX_VALUE)) {
                entries.add(
                        member.deepCopy() instanceof ObjectNode entry
                                ? entry.put("action", PresenceAction.ENTER.code())
                                : member);
            }
            fixtures.add(new AppBook.Fixture(channel.path("name").asText(), exchange.presence(entries)));
        }
        ObjectNode app = apps.create(new AppBook.Plan(capabilities, fixtures, maxMembers(body)));
        putAddress(app, exchange.request);
        app.set("namespaces", list(body, "namespaces", Integer.MAX_VALUE));
        app.set("channels", list(body, "channels", Integer.MAX_VALUE));
        return exchange.answer(201, app);
    }

    private static OptionalInt maxMembers(JsonNode body) throws Refusal {
        JsonNode most = body.path("limits").path("presence").path("maxMembers");
        if (most.isMissingNode() || most.isNull()) {
            return OptionalInt.empty();
        }
        if (!most.isInt() || most.intValue() < 1 || most.intValue() > MAX_MEMBERS) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "limits.presence.maxMembers is " + Quote.of(most.toString()) + "; give a whole number from 1 to "
                            + MAX_MEMBERS);
        }
        return OptionalInt.of(most.intValue());
    }

    /**
     * Adds the address of the hub, to which the test suites connect their clients. The address is the one in the header
     * Host. If the header is absent, the suite must know the address.
     */
    private static void putAddress(ObjectNode app, RestRequest request) {
        Matcher host = HOST.matcher(request.header("host") == null ? "" : request.header("host"));
        if (host.matches()) {
            int usualPort = request.isOverTls() ? HTTPS_PORT : HTTP_PORT;
            app.put("endpoint", host.group("name"))
                    .put("port", host.group("port") == null ? usualPort : Integer.parseInt(host.group("port")))
                    .put("tls", request.isOverTls());
        }
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
