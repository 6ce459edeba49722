package dev.doyen.hub.wire;

/** All error codes that a hub sends. */
public enum ErrorCode {
    BAD_REQUEST(40000, 400, "the frame or request, or a field of it, is not valid", Retry.NO),
    BAD_PARAMETER(40003, 400, "a parameter is out of its bounds", Retry.NO),
    NO_SUCH_CONNECTION(40006, 400, "a publish names a connection that does not exist, or several", Retry.NO),
    MESSAGE_TOO_BIG(40009, 400, "a publish is over the message size limit", Retry.NO),
    BAD_CHANNEL_NAME(40010, 400, "the channel name breaks the rules of names", Retry.NO),
    BAD_CLIENT_ID(40012, 400, "the client id breaks the rules, or is not the connection's own", Retry.NO),
    BAD_MESSAGE_ID(40031, 400, "message ids are repeated, or too long", Retry.NO),
    BAD_CREDENTIALS(40101, 401, "no key, an unknown key, a wrong secret, or a token that is not a JWT", Retry.NO),
    INCOMPATIBLE_CREDENTIALS(40102, 401, "the token does not permit this client id", Retry.NO),
    TIMESTAMP_NOT_CURRENT(40104, 401, "a token request's timestamp is too far from the hub's clock", Retry.NO),
    NONCE_USED(40105, 401, "a token request with this nonce and timestamp was used before", Retry.NO),
    KEY_REVOKED(40131, 401, "the key was removed from the hub, or has another secret now", Retry.NO),
    TOKEN_REVOKED(40141, 401, "the token was revoked", Retry.NO),
    TOKEN_EXPIRED(40142, 401, "the token has expired; SDKs ask for another by themselves", Retry.LATER),
    TOKEN_UNKNOWN(40143, 401, "this hub did not issue the token", Retry.NO),
    TOKEN_INVALID(40144, 401, "the JWT is malformed, wrongly signed, or dated beyond its bounds", Retry.NO),
    NOT_ALLOWED(
            40160,
            401,
            "the capability of the key or token does not allow this, or no requested mode exists",
            Retry.NO),
    MODE_NOT_REQUESTED(40165, 401, "the client attached the channel without the mode that the request needs", Retry.NO),
    NOT_FROM_HERE(
            40300,
            403,
            "a web page of another machine (header Origin) asked a hub with --sandbox to create keys",
            Retry.NO),
    UNKNOWN_KEY(40400, 401, "there is no such API key", Retry.NO),
    NOT_FOUND(40400, 404, "the path or the key does not exist", Retry.NO),
    CLAIM_HELD(40910, 409, "another member holds, or is winning, the channel's claim", Retry.LATER),
    FENCED(
            40911,
            409,
            "only the holder of a claim may publish this message, and the sender holds none, or the fence has another"
                    + " term",
            Retry.NO),
    QUOTA_EXCEEDED(
            42910,
            429,
            "a key, client or address uses as many connections, channels, claims or bytes of presence as its quota allows",
            Retry.LATER),
    RATE_LIMITED(
            42911,
            429,
            "a connection, key, client or address has exceeded a rate limit for messages, claims or requests",
            Retry.LATER),
    INTERNAL(50000, 500, "the hub failed; its log has the reason", Retry.NO),
    UNAVAILABLE(50003, 503, "the hub, or the store behind it, cannot do this now", Retry.LATER),
    INCOMPATIBLE_RESUME(80011, 400, "the connection to resume belongs to another client id", Retry.NO),
    BAD_CONNECTION_KEY(80018, 400, "the connection to resume does not exist", Retry.NO),
    SOCKET_GIVEN_UP(
            80003,
            400,
            "the hub closed this socket: the hub is shutting down, or another socket resumed the connection",
            Retry.LATER),
    TOO_MANY_CHANNELS(90010, 400, "the connection has the maximum number of attachments", Retry.NO),
    CONTINUITY_LOST(90003, 400, "messages after the given serial may have been missed", Retry.NO),
    NO_CLIENT_ID(91000, 400, "presence needs a client id", Retry.NO),
    TOO_MANY_MEMBERS(
            91003,
            400,
            "the channel has the maximum number of members, or the presence data of the channel or the hub has the maximum size",
            Retry.LATER);

    /** States whether a later retry can succeed. */
    public enum Retry {
        NO,
        LATER
    }

    private final int code;
    private final int statusCode;
    private final String meaning;
    private final Retry retry;

    ErrorCode(int code, int statusCode, String meaning, Retry retry) {
        this.code = code;
        this.statusCode = statusCode;
        this.meaning = meaning;
        this.retry = retry;
    }

    public int code() {
        return code;
    }

    public int statusCode() {
        return statusCode;
    }

    public String meaning() {
        return meaning;
    }

    public Retry retry() {
        return retry;
    }

    /** Returns this error with a message. The message states what happened, the value, the limit and what to do. */
    public ErrorInfo because(String sentence) {
        return new ErrorInfo(code, statusCode, sentence);
    }
}
