package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.wire.BodyCodec;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Refusal;
import java.util.Optional;
import java.util.Set;

/**
 * Answers HTTP requests. Every invalid request receives an answer with an error.
 *
 * <p>Instances are immutable, and several threads may use them. Only one thread at a time may use a
 * {@link ChannelBook}.
 */
public final class RestApi {

    private static final Set<String> ROOTS =
            Set.of("apps", "channels", "comet", "keys", "messages", "presence", "push", "stats", "time");

    private static final BodyCodec WRITER = new BodyCodec(1);

    private final BodyCodec codec;

    /** Creates an API that reads bodies of up to {@code maxBodyBytes}. */
    public RestApi(int maxBodyBytes) {
        this.codec = new BodyCodec(maxBodyBytes);
    }

    /** Returns true if the API serves this percent-encoded path. The driver may serve a web page for any other path. */
    public static boolean serves(String path) {
        int end = path.indexOf('/', 1);
        return path.startsWith("/") && ROOTS.contains(end < 0 ? path.substring(1) : path.substring(1, end));
    }

    public Later<RestAnswer> answer(ChannelBook book, RestRequest request) {
        // Preflight requests do not count for rate limiting. A rejection would cost the hub as much time as the answer,
        // and the browser would hide the reason from the page.
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

    /** Returns the answer that the driver sends if the hub cannot answer. */
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

    /**
     * Returns the error text for an unknown path. In a browser, SDKs of version 1 first request a comet path and show
     * the error text to the user.
     */
    private static String nothingAt(Exchange exchange) {
        return exchange.path.get(0).equals("comet")
                ? "this hub has no comet transport; give the SDK the option transports: [\"web_socket\"]"
                : "there is nothing at " + exchange.request.path() + " for " + exchange.request.method()
                        + "; see the reference for the resources";
    }
}
