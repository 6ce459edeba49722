package dev.doyen.hub.wire;

/**
 * Why something was refused. All three fields always travel: SDKs drop a frame whose error lacks one.
 *
 * @param code from {@link ErrorCode}, or another server's
 * @param statusCode the HTTP status it is a kind of
 * @param message a sentence for the person who reads it
 */
public record ErrorInfo(int code, int statusCode, String message) {}
