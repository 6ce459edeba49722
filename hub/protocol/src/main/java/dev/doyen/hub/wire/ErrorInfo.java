package dev.doyen.hub.wire;

/**
 * An error on the wire. It always has all three fields, because SDKs drop a frame whose error lacks one.
 *
 * @param code from {@link ErrorCode}, or from another server
 * @param statusCode the HTTP status for this kind of error
 * @param message a sentence for people
 */
public record ErrorInfo(int code, int statusCode, String message) {}
