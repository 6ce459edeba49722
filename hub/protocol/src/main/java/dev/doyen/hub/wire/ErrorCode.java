package dev.doyen.hub.wire;

/** All error codes that a hub sends. */
public enum ErrorCode {
    BAD_REQUEST(40000, 400, "the frame or request, or a field of it, is not acceptable", Retry.NO),
    BAD_PARAMETER(40003, 400, "a parameter is out of its bounds", Retry.NO),
    NO_SUCH_CONNECTION(40006, 400, "a publish names a connection that is not here, or several", Retry.NO),
    MESSAGE_TOO_BIG(40009, 400, "a publish is over the message size limit", Retry.NO),
    BAD_CHANNEL_NAME(40010, 400, "the channel name breaks the rules of names", Retry.NO),
    BAD_CLIENT_ID(40012, 400, "the client id breaks the rules, or is not the connection's own", Retry.NO),
    BAD_MESSAGE_ID(40031, 400, "message ids are repeated, or too long", Retry.NO),
    BAD_CREDENTIALS(40101, 401, "no key, an unknown key, or a wrong secret", Retry.NO),
    INCOMPATIBLE_CREDENTIALS(40102, 401, "the token is not good for this client id", Retry.NO),
    TIMESTAMP_NOT_CURRENT(40104, 401, "a token request's timestamp is too far from the hub's clock", Retry.NO),
    NONCE_USED(40105, 401, "a token request's nonce was used before", Retry.NO),
    TOKEN_REVOKED(40141, 401, "the token was revoked", Retry.NO),
    TOKEN_EXPIRED(40142, 401, "the token has expired; SDKs ask for another by themselves", Retry.LATER),
    TOKEN_UNKNOWN(40143, 401, "the token is none of this hub's", Retry.NO),
    TOKEN_INVALID(40144, 401, "the JWT is malformed, wrongly signed, or dated beyond its bounds", Retry.NO),
    NOT_ALLOWED(
            40160,
            401,
            "the capability of the key or token does not allow this, or no mode asked for is known",
            Retry.NO),
    MODE_NOT_REQUESTED(40165, 401, "the channel was attached without the mode this needs", Retry.NO),
    NOT_FROM_HERE(40300, 403, "the sandbox makes no app for a page from elsewhere", Retry.NO),
    UNKNOWN_KEY(40400, 401, "there is no such API key", Retry.NO),
    NOT_FOUND(40400, 404, "there is nothing at this path, or no key of this name", Retry.NO),
    CLAIM_HELD(40910, 409, "another member holds, or is winning, the channel's claim", Retry.LATER),
    FENCED(40911, 409, "the message's fence is not the term of a claim its sender holds", Retry.NO),
    RATE_LIMITED(
            42911,
            429,
            "messages or requests come faster than a connection, a key or token, or an address may send",
            Retry.LATER),
    INTERNAL(50000, 500, "the hub failed, and wrote to its log why", Retry.NO),
    UNAVAILABLE(50003, 503, "the hub, or the store behind it, cannot do this now", Retry.LATER),
    INCOMPATIBLE_RESUME(80011, 400, "the connection to resume belongs to another client id", Retry.NO),
    BAD_CONNECTION_KEY(80018, 400, "the connection to resume is not known, or no longer", Retry.NO),
    SOCKET_GIVEN_UP(
            80003, 400, "the hub gave up this socket: it is ending, or another resumed the connection", Retry.LATER),
    TOO_MANY_CHANNELS(90010, 400, "the connection has as many attachments as it may", Retry.NO),
    CONTINUITY_LOST(90003, 400, "messages may have been missed since the serial given", Retry.NO),
    NO_CLIENT_ID(91000, 400, "presence needs a client id", Retry.NO),
    TOO_MANY_MEMBERS(91003, 400, "the channel has as many members as it may", Retry.LATER);

    /** Whether a retry may succeed. */
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

    /** Returns this error with a sentence. It states what happened, the value, the limit and what to do. */
    public ErrorInfo because(String sentence) {
        return new ErrorInfo(code, statusCode, sentence);
    }
}
