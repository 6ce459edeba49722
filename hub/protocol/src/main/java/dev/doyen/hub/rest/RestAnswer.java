package dev.doyen.hub.rest;

import dev.doyen.hub.wire.ErrorInfo;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an HTTP request.
 *
 * <p>Callers share the body and must not modify it.
 */
public final class RestAnswer {

    /** A header field. Several header fields can have the same name. */
    public record Header(String name, String value) {}

    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final @Nullable ErrorInfo error;

    RestAnswer(int status, List<Header> headers, byte[] body) {
        this(status, headers, body, null);
    }

    private RestAnswer(int status, List<Header> headers, byte[] body, @Nullable ErrorInfo error) {
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
        this.error = error;
    }

    public int status() {
        return status;
    }

    public List<Header> headers() {
        return headers;
    }

    public byte[] body() {
        return body;
    }

    RestAnswer with(List<Header> more) {
        var all = new ArrayList<>(headers);
        all.addAll(more);
        return new RestAnswer(status, all, body, error);
    }

    /** Returns this answer, marked as a rejection. */
    RestAnswer because(ErrorInfo why) {
        return new RestAnswer(status, headers, body, why);
    }

    /** Returns the reason why the request was rejected, or null if it was not rejected. */
    public @Nullable ErrorInfo error() {
        return error;
    }

    @Override
    public String toString() {
        return status + " " + headers + " with " + body.length + " bytes";
    }
}
