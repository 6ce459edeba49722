package dev.doyen.hub;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.wire.BodyCodec;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.MalformedFrameException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** An HTTP client that sends requests with a key to the hub of a {@link Stage}. */
public final class RestClient {

    private static final BodyCodec CODEC = new BodyCodec(1 << 20);

    private final Stage stage;
    private final Map<String, String> headers = new HashMap<>();
    private final String address;

    public RestClient(Stage stage) {
        this(stage, "");
    }

    private RestClient(Stage stage, String address) {
        this.stage = stage;
        this.address = address;
        headers.put("Authorization", "Basic " + base64(Stage.KEY));
    }

    /** Returns a client that sends this header field. An empty value removes the field. */
    public RestClient with(String name, String value) {
        RestClient other = from(address);
        if (value.isEmpty()) {
            other.headers.remove(name);
        } else {
            other.headers.put(name, value);
        }
        return other;
    }

    /** Returns a client whose requests come from this address. */
    RestClient from(String newAddress) {
        var other = new RestClient(stage, newAddress);
        other.headers.clear();
        other.headers.putAll(headers);
        return other;
    }

    /** Returns a client that sends this key. */
    RestClient by(String key) {
        return with("Authorization", "Basic " + base64(key));
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    public Answer get(String target) {
        return send("GET", target, "");
    }

    /** Reads one field of each item on this page and on all following pages. */
    List<String> pages(String target, String field) {
        String path = target.substring(0, target.indexOf('?'));
        var items = new ArrayList<String>();
        for (String next = target; !next.equals(path); ) {
            Answer page = get(next);
            items.addAll(page.each(field));
            next = path + page.link("next");
        }
        return items;
    }

    Answer post(String target, String json) {
        return send("POST", target, json);
    }

    Answer send(String method, String target, String body) {
        return send(method, target, body.getBytes(StandardCharsets.UTF_8));
    }

    Answer send(String method, String target, byte[] body) {
        return begin(method, target, body).get();
    }

    /** Sends a request. Its answer can arrive after this call. */
    public Supplier<Answer> begin(String method, String target, byte[] body) {
        long request = stage.begin(RestRequest.of(method, target, headers, body).from(address));
        return () -> new Answer(stage.answer(request));
    }

    /** The answer to a request. */
    public record Answer(RestAnswer raw) {

        public int status() {
            return raw.status();
        }

        List<String> header(String name) {
            return raw.headers().stream()
                    .filter(header -> header.name().equals(name))
                    .map(RestAnswer.Header::value)
                    .toList();
        }

        public String text() {
            return new String(raw.body(), StandardCharsets.UTF_8);
        }

        JsonNode tree() {
            boolean msgpack = header("Content-Type").contains("application/x-msgpack");
            try {
                return CODEC.readTree(raw.body(), msgpack ? Format.MSGPACK : Format.JSON);
            } catch (MalformedFrameException e) {
                throw new AssertionError("the hub's answer cannot be read: " + text(), e);
            }
        }

        /** Returns one field of each item. */
        List<String> each(String field) {
            return tree().findValuesAsText(field);
        }

        /** Returns the error in the body as {@code code/status message}. */
        String error() {
            JsonNode error = tree().path("error");
            return error.path("code").asInt() + "/" + error.path("statusCode").asInt() + " "
                    + error.path("message").asText();
        }

        /** Returns the query of the link with this relation. The result is empty if the answer has no such link. */
        String link(String rel) {
            return header("Link").stream()
                    .filter(line -> line.endsWith(">; rel=\"" + rel + "\""))
                    .map(line -> line.substring(line.indexOf('?'), line.indexOf('>')))
                    .findFirst()
                    .orElse("");
        }
    }
}
