package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Format;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Determines the format of a request's body and of its answer. */
final class Bodies {

    /** Without a charset, because SDKs compare the whole text. */
    private static final String JSON = "application/json";

    private static final String MSGPACK = "application/x-msgpack";

    private Bodies() {}

    static Format given(RestRequest request) {
        return mentions(request.header("content-type"), MSGPACK) ? Format.MSGPACK : Format.JSON;
    }

    /** Returns the format in the parameter {@code format}, else the first accepted of the two types. */
    static Format wanted(RestRequest request, Query query) {
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
