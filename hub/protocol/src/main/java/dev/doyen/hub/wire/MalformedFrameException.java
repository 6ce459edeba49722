package dev.doyen.hub.wire;

/** Thrown for bytes that are not a valid frame or body. The exception message describes the fault to the sender. */
public final class MalformedFrameException extends Exception {

    public MalformedFrameException(String sentence) {
        super(sentence);
    }

    public MalformedFrameException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
