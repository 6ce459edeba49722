package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.rest.RestAnswer.Header;
import dev.doyen.hub.wire.BodyCodec;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.MalformedFrameException;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PostedBatch;
import dev.doyen.hub.wire.PostedMessage;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A decoded HTTP request, with methods that encode its answer. */
final class Exchange {

    private static final int MIN_TOKEN_ERROR = 40140;
    private static final int MAX_TOKEN_ERROR = 40149;
    private static final int TOO_MANY_REQUESTS = 429;
    /** An API version of SDKs, such as 1.2 or 3. */
    private static final Pattern VERSION = Pattern.compile("([0-9]{1,3})(?:\\.[0-9]{1,3})?");
    /** The first API version in which results contain the numbers of successes and failures. */
    private static final int COUNTING_VERSION = 3;

    final RestRequest request;
    final ChannelBook book;
    final Query query;
    /** The decoded segments of the path. */
    final List<String> path;

    private final BodyCodec codec;
    private final Format format;

    private Exchange(RestRequest request, ChannelBook book, BodyCodec codec) throws Refusal {
        this.request = request;
        this.book = book;
        this.codec = codec;
        this.query = Query.of(request);
        this.path = segments(request.path());
        this.format = Bodies.responseFormat(request, query);
    }

    static Exchange of(RestRequest request, ChannelBook book, BodyCodec codec) throws Refusal {
        return new Exchange(request, book, codec);
    }

    boolean reads() {
        return request.method().equals("GET") || request.method().equals("HEAD");
    }

    boolean posts() {
        return request.method().equals("POST");
    }

    /** Returns true if the path has these segments; {@code *} matches any segment. */
    boolean isAt(String... segments) {
        boolean same = path.size() == segments.length;
        for (int i = 0; same && i < segments.length; i++) {
            same = segments[i].equals("*") || segments[i].equals(path.get(i));
        }
        return same;
    }

    /** Counts the request for rate limiting. Throws a {@link Refusal} if the caller exceeds its limit. */
    void admit() throws Refusal {
        book.admit(request, posts() && (isAt("channels", "*", "messages") || isAt("messages")));
    }

    Access access() throws Refusal {
        return book.access(request);
    }

    /**
     * Returns the client id in the header, or null if it is absent. A key may act for every client, and the header
     * selects one client.
     */
    @Nullable
    String requestedClientId() throws Refusal {
        String header = request.header("x-ably-clientid");
        try {
            return header == null ? null : new String(Base64.getDecoder().decode(header), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new Refusal(ErrorCode.BAD_CLIENT_ID, "the header X-Ably-ClientId is not in base64");
        }
    }

    List<PostedMessage> messages() throws Refusal {
        try {
            return codec.readMessages(request.body(), Bodies.given(request));
        } catch (MalformedFrameException e) {
            throw unreadable(e);
        }
    }

    PostedBatch batch() throws Refusal {
        try {
            return codec.readBatch(request.body(), Bodies.given(request));
        } catch (MalformedFrameException e) {
            throw unreadable(e);
        }
    }

    /**
     * Returns true if the results of several parts contain the numbers of successes and failures.
     *
     * <p>The result is false before API version {@value #COUNTING_VERSION}, unless the request asks for these numbers.
     * The SDK ably-js 1.2 asks for them. Without a valid version in the request, the result is true.
     */
    boolean countsResults() {
        Matcher version = VERSION.matcher(String.valueOf(request.header("x-ably-version")));
        return !version.matches()
                || Integer.parseInt(version.group(1)) >= COUNTING_VERSION
                || "true".equals(query.text("newBatchResponse"));
    }

    JsonNode tree() throws Refusal {
        try {
            return codec.readTree(request.body(), Bodies.given(request));
        } catch (MalformedFrameException e) {
            throw unreadable(e);
        }
    }

    /** Reads members from a JSON tree. */
    List<PresenceMessage> presence(JsonNode list) throws Refusal {
        try {
            return codec.readPresence(codec.tree(list, Format.JSON), Format.JSON);
        } catch (MalformedFrameException e) {
            throw unreadable(e);
        }
    }

    /**
     * Converts members to a JSON tree. The tree contains bytes as base64. SDKs read base64 in JSON answers and in
     * msgpack answers.
     */
    JsonNode presenceTree(List<PresenceMessage> members) throws Refusal {
        try {
            return codec.readTree(codec.presence(members, Format.JSON), Format.JSON);
        } catch (MalformedFrameException e) {
            throw new Refusal(ErrorCode.BAD_REQUEST, "the response would be too large; request fewer channels");
        }
    }

    RestAnswer answer(int status, JsonNode tree) {
        return answer(status, List.of(), codec.tree(tree, format));
    }

    RestAnswer messages(Page<Message> page) {
        return answer(200, links(page), codec.messages(page.items(), format));
    }

    RestAnswer presence(Page<PresenceMessage> page) {
        return answer(200, links(page), codec.presence(page.items(), format));
    }

    RestAnswer page(Page<? extends JsonNode> page) {
        var list = JsonNodeFactory.instance.arrayNode();
        page.items().forEach(list::add);
        return answer(200, links(page), codec.tree(list, format));
    }

    RestAnswer refused(Refusal refusal) {
        return refused(codec, format, refusal);
    }

    static RestAnswer refused(BodyCodec codec, Format format, Refusal refusal) {
        ErrorInfo error = refusal.error();
        var body = JsonNodeFactory.instance.objectNode();
        body.set("error", tree(error));
        var headers = new ArrayList<Header>();
        headers.add(new Header("X-Ably-ErrorCode", Integer.toString(error.code())));
        headers.add(new Header("X-Ably-ErrorMessage", printable(error.message())));
        if (error.code() >= MIN_TOKEN_ERROR && error.code() <= MAX_TOKEN_ERROR) {
            // ably-java requests a new token only after this challenge, and crashes after any other challenge.
            headers.add(new Header("WWW-Authenticate", "X-Ably-Token realm=\"doyen\", stale=\"true\""));
        }
        if (error.statusCode() == TOO_MANY_REQUESTS) {
            // RFC 6585, section 4; RFC 9110, section 10.2.3.
            headers.add(new Header("Retry-After", Integer.toString(Math.max(1, refusal.retryAfterSeconds()))));
        }
        return answer(error.statusCode(), headers, format, codec.tree(body, format))
                .because(error);
    }

    static ObjectNode tree(ErrorInfo error) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("code", error.code())
                .put("statusCode", error.statusCode())
                .put("message", error.message());
    }

    /**
     * Returns the headers with the links to other pages. SDKs parse only this form: one header for each link, a path
     * relative to the last segment of the request's path, and no comma.
     */
    private List<Header> links(Page<?> page) {
        String here = "<./" + path.get(path.size() - 1) + "?";
        var links = new ArrayList<Header>();
        links.add(new Header("Link", here + query.linking(null) + ">; rel=\"first\""));
        links.add(new Header("Link", here + query.linking(query.text(Query.CURSOR)) + ">; rel=\"current\""));
        if (page.next() != null) {
            links.add(new Header("Link", here + query.linking(page.next()) + ">; rel=\"next\""));
        }
        return links;
    }

    private RestAnswer answer(int status, List<Header> headers, byte[] body) {
        return answer(status, headers, format, body);
    }

    private static RestAnswer answer(int status, List<Header> headers, Format format, byte[] body) {
        var all = new ArrayList<Header>();
        all.add(new Header("Content-Type", Bodies.contentType(format)));
        all.add(new Header("Cache-Control", "no-store"));
        all.addAll(headers);
        return new RestAnswer(status, all, body);
    }

    private static List<String> segments(String path) throws Refusal {
        var segments = new ArrayList<String>();
        for (String segment : path.substring(Math.min(1, path.length())).split("/", -1)) {
            segments.add(Percent.decodePath(segment));
        }
        return segments;
    }

    private static Refusal unreadable(MalformedFrameException e) {
        return new Refusal(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()));
    }

    /** Replaces all characters except visible ASCII, because a header may contain no other characters. */
    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
