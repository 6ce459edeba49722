package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Format;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Determines the formats of a request's body and of the body of its answer. */
final class Bodies {

    /** The content type of JSON, without a charset because SDKs compare the complete text. */
    private static final String JSON = "application/json";

    private static final String MSGPACK = "application/x-msgpack";

    private Bodies() {}

    static Format given(RestRequest request) {
        return mentions(request.header("content-type"), MSGPACK) ? Format.MSGPACK : Format.JSON;
    }

    /**
     * Returns the format that the parameter {@code format} names. An unknown name means JSON. Without the parameter,
     * returns the first supported format in the {@code Accept} header, or JSON if the header names none.
     */
    static Format responseFormat(RestRequest request, Query query) {
        String format = query.text("format");
        if (format != null) {
            return format.equals("msgpack") ? Format.MSGPACK : Format.JSON;
        }
        return accepted(request);
    }

    static Format accepted(RestRequest request) {
        String accept = request.header("accept");
        if (accept == null || !mentions(accept, MSGPACK)) {
            return Format.JSON;
        }
        String lower = accept.toLowerCase(Locale.ROOT);
        int json = lower.indexOf(JSON);
        return json < 0 || lower.indexOf(MSGPACK) < json ? Format.MSGPACK : Format.JSON;
    }

    static String contentType(Format format) {
        return format == Format.MSGPACK ? MSGPACK : JSON;
    }

    private static boolean mentions(@Nullable String header, String type) {
        return header != null && header.toLowerCase(Locale.ROOT).contains(type);
    }
}
