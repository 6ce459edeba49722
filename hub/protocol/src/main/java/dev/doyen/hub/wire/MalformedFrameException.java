package dev.doyen.hub.wire;

/** Thrown for bytes that are no protocol message. Its message tells the sender what is wrong, and where. */
public final class MalformedFrameException extends Exception {

    public MalformedFrameException(String sentence) {
        super(sentence);
    }

    public MalformedFrameException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
