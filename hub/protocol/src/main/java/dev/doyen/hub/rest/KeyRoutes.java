package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.TokenDetails;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.Optional;
import java.util.OptionalLong;

/** Routes {@code /keys/KEY/requestToken} and {@code /keys/KEY/revokeTokens}. */
final class KeyRoutes {

    private static final int MAX_TARGETS = 100;

    private KeyRoutes() {}

    /**
     * Returns the answer to the request. The result is empty if this class does not serve the request's path and
     * method.
     */
    static Optional<Later<RestAnswer>> answer(Exchange exchange) throws Refusal {
        if (exchange.posts() && exchange.isAt("keys", "*", "requestToken")) {
            return Optional.of(Later.of(exchange.answer(201, token(exchange))));
        }
        if (exchange.posts() && exchange.isAt("keys", "*", "revokeTokens")) {
            return Optional.of(revoked(exchange).map(results -> exchange.answer(201, results)));
        }
        return Optional.empty();
    }

    private static ObjectNode token(Exchange exchange) throws Refusal {
        TokenDetails details = exchange.book.issue(exchange.path.get(1), exchange.tree(), exchange.request);
        Access access = details.access();
        var answer = JsonNodeFactory.instance
                .objectNode()
                .put("token", details.token())
                .put("keyName", access.keyName())
                .put("issued", access.issuedMillis().orElseThrow())
                .put("expires", access.expiresMillis().orElseThrow())
                .put("capability", access.capability().text());
        return access.clientId() == null ? answer : answer.put("clientId", access.clientId());
    }

    private static Later<JsonNode> revoked(Exchange exchange) throws Refusal {
        Access access = exchange.access();
        String keyName = exchange.path.get(1);
        if (access.isToken() || !access.keyName().equals(keyName)) {
            throw new Refusal(
                    ErrorCode.BAD_CREDENTIALS,
                    "only the key " + Quote.of(keyName) + " itself may revoke its tokens; send it as Basic");
        }
        JsonNode body = exchange.tree();
        JsonNode targets = body.path("targets");
        if (!targets.isArray() || targets.isEmpty() || targets.size() > MAX_TARGETS) {
            throw new Refusal(
                    ErrorCode.BAD_REQUEST,
                    "targets must be a list of 1 to " + MAX_TARGETS
                            + ", each written clientId:NAME or revocationKey:NAME");
        }
        OptionalLong issuedBefore = issuedBefore(body);
        boolean margin = margin(body);
        var results = new Results("target");
        for (JsonNode target : targets) {
            results.add(target.asText(), () -> {
                var revoked = exchange.book.revoke(keyName, target.asText(), issuedBefore, margin);
                return Later.of(JsonNodeFactory.instance
                        .objectNode()
                        .put("issuedBefore", revoked.issuedBefore())
                        .put("appliesAt", revoked.appliesAt()));
            });
        }
        exchange.book.applyRevocations();
        return results.of(exchange);
    }

    private static boolean margin(JsonNode body) throws Refusal {
        JsonNode given = body.path("allowReauthMargin");
        if (!given.isMissingNode() && !given.isNull() && !given.isBoolean()) {
            throw new Refusal(
                    ErrorCode.BAD_PARAMETER,
                    "allowReauthMargin is " + Quote.of(given.toString()) + "; give true or false, or leave it out");
        }
        return given.asBoolean();
    }

    private static OptionalLong issuedBefore(JsonNode body) throws Refusal {
        JsonNode given = body.path("issuedBefore");
        if (given.isMissingNode() || given.isNull()) {
            return OptionalLong.empty();
        }
        if (!given.isIntegralNumber() || !given.canConvertToLong() || given.longValue() < 0) {
            throw new Refusal(
                    ErrorCode.BAD_PARAMETER,
                    "issuedBefore is " + Quote.of(given.toString())
                            + "; give milliseconds since the epoch, or leave it out");
        }
        return OptionalLong.of(given.longValue());
    }
}
