package dev.doyen.hub.wire;

/** Bytes that are no protocol message. The message is a sentence for their sender: what is wrong, and where. */
public final class MalformedFrameException extends Exception {

    public MalformedFrameException(String sentence) {
        super(sentence);
    }

    public MalformedFrameException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
