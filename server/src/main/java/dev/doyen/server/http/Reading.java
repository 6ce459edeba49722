package dev.doyen.server.http;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the sites have in common that serve things to read. */
public final class Reading {

    private Reading() {}

    /** What is asked for, still percent-encoded, without the query. */
    public static String path(FullHttpRequest request) {
        int mark = request.uri().indexOf('?');
        return mark < 0 ? request.uri() : request.uri().substring(0, mark);
    }

    public static boolean is(FullHttpRequest request) {
        return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
    }

    /** The answer to what {@link #is} not reading. */
    public static HttpReply only() {
        return HttpReply.sentence(405, "Only GET and HEAD are served here.").with("Allow", "GET, HEAD");
    }

    /** The headers of a page's file: asked for anew each time, taken for nothing else, not for other origins. */
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
