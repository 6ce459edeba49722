package dev.doyen.hub.wire;

/**
 * An error on the wire. An error always has all three fields, because SDKs drop a frame whose error lacks a field.
 *
 * @param code the code from {@link ErrorCode} or from another server
 * @param statusCode the HTTP status for this kind of error
 * @param message the error message for users
 */
public record ErrorInfo(int code, int statusCode, String message) {}
