package dev.doyen.elector.http;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.util.LinkedHashMap;
import java.util.Map;

/** Helpers for handlers that serve GET and HEAD. */
public final class Reading {

    private Reading() {}

    /** Returns the path of a request, still percent-encoded, without the query. */
    public static String path(FullHttpRequest request) {
        int mark = request.uri().indexOf('?');
        return mark < 0 ? request.uri() : request.uri().substring(0, mark);
    }

    /** Returns true if the method of the request is GET or HEAD. */
    public static boolean is(FullHttpRequest request) {
        return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
    }

    /** Returns the response to a request for which {@link #is} returned false. */
    public static HttpReply only() {
        return HttpReply.sentence(405, "Only GET and HEAD are supported.").with("Allow", "GET, HEAD");
    }

    /**
     * Returns the headers of a page's file. The headers forbid type sniffing and caching without revalidation. Only
     * pages of the same origin may load the file.
     */
    public static Map<String, String> headers(String contentType) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", contentType);
        headers.put("Cache-Control", "no-cache");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        return headers;
    }
}
