package dev.doyen.ring;

/** Bytes that are no message of the ring. The message is a sentence about them, beginning with "it" or a part of it. */
public final class MalformedRingMessageException extends Exception {

    private static final long serialVersionUID = 1;

    MalformedRingMessageException(String message) {
        super(message);
    }
}
