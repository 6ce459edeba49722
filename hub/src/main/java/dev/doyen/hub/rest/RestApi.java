package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.wire.BodyCodec;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Refusal;
import java.util.Optional;
import java.util.Set;

/**
 * Answers requests, whatever they are: every fault of theirs is an answer with an error.
 *
 * <p>Threads: immutable; a {@link ChannelBook} belongs to the one that has it.
 */
public final class RestApi {

    private static final Set<String> ROOTS =
            Set.of("apps", "channels", "comet", "keys", "messages", "presence", "push", "stats", "time");

    private static final BodyCodec WRITER = new BodyCodec(1);

    private final BodyCodec codec;

    /** Reads bodies up to {@code maxBodyBytes}. */
    public RestApi(int maxBodyBytes) {
        this.codec = new BodyCodec(maxBodyBytes);
    }

    /** Whether a path, as it was sent, is one of the API's; others may lead to a page. */
    public static boolean serves(String path) {
        int end = path.indexOf('/', 1);
        return path.startsWith("/") && ROOTS.contains(end < 0 ? path.substring(1) : path.substring(1, end));
    }

    public Later<RestAnswer> answer(ChannelBook book, RestRequest request) {
        // Not counted: to say no to a browser that asks first is no less work, and would hide the reason from its page.
        if (request.method().equals("OPTIONS")) {
            return Later.of(Cors.allow(request, Cors.preflight()));
        }
        Later<RestAnswer> answer;
        try {
            answer = routed(Exchange.of(request, book, codec));
        } catch (Refusal refusal) {
            answer = Later.of(Exchange.refused(codec, Bodies.accepted(request), refusal));
        }
        return answer.map(given -> Cors.allow(request, given));
    }

    /** An answer of the program around the hub: it could not ask, or got no answer. */
    public static RestAnswer refusal(RestRequest request, ErrorInfo error) {
        return Cors.allow(request, Exchange.refused(WRITER, Bodies.accepted(request), new Refusal(error)));
    }

    private static Later<RestAnswer> routed(Exchange exchange) {
        try {
            exchange.admit();
            return route(exchange)
                    .orElseGet(() -> Later.refused(new Refusal(ErrorCode.NOT_FOUND, nothingAt(exchange))))
                    .orElse(exchange::refused);
        } catch (Refusal refusal) {
            return Later.of(exchange.refused(refusal));
        }
    }

    private static Optional<Later<RestAnswer>> route(Exchange exchange) throws Refusal {
        return switch (exchange.path.get(0)) {
            case "time" -> time(exchange).map(Later::of);
            case "channels" -> ChannelRoutes.answer(exchange);
            case "messages", "presence" -> BatchRoutes.answer(exchange);
            case "apps", "stats" -> AppRoutes.answer(exchange).map(Later::of);
            case "keys" -> KeyRoutes.answer(exchange);
            default -> Optional.empty();
        };
    }

    private static Optional<RestAnswer> time(Exchange exchange) {
        return exchange.reads() && exchange.isAt("time")
                ? Optional.of(exchange.answer(
                        200, JsonNodeFactory.instance.arrayNode().add(exchange.book.nowMillis())))
                : Optional.empty();
    }

    /** An SDK of version 1 in a browser begins with comet, and shows this to its user when it gives up. */
    private static String nothingAt(Exchange exchange) {
        return exchange.path.get(0).equals("comet")
                ? "this hub has no comet transport; give the SDK the option transports: [\"web_socket\"]"
                : "there is nothing at " + exchange.request.path() + " for " + exchange.request.method()
                        + "; the reference says what there is";
    }
}
