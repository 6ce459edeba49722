package dev.doyen.hub.rest;

import java.util.ArrayList;
import java.util.List;

/**
 * What a request is answered with.
 *
 * <p>The body is shared, not copied: nobody may change it.
 */
public final class RestAnswer {

    /** One line of the head. Some names come several times, each on a line of its own. */
    public record Header(String name, String value) {}

    private final int status;
    private final List<Header> headers;
    private final byte[] body;

    RestAnswer(int status, List<Header> headers, byte[] body) {
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
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
        return new RestAnswer(status, all, body);
    }

    @Override
    public String toString() {
        return status + " " + headers + " with " + body.length + " bytes";
    }
}
