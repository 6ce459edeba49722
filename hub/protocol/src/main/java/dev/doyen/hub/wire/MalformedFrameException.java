package dev.doyen.hub.wire;

/**
 * Thrown for bytes that are not a protocol message. The exception message describes the fault and its position to the
 * sender.
 */
public final class MalformedFrameException extends Exception {

    public MalformedFrameException(String sentence) {
        super(sentence);
    }

    public MalformedFrameException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
