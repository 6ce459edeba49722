package dev.doyen.hub.wire;

/** Rejects input, with the error for its sender. It has no stack trace, because it is an expected result. */
public final class Refusal extends Exception {

    private final transient ErrorInfo error;
    private final int retryAfterSeconds;

    public Refusal(ErrorCode code, String sentence) {
        this(code.because(sentence));
    }

    public Refusal(ErrorInfo error) {
        this(error, 0);
    }

    /** @param retryAfterSeconds when a retry may succeed; 0 if unknown */
    public Refusal(ErrorInfo error, int retryAfterSeconds) {
        super(error.message(), null, false, false);
        this.error = error;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    public ErrorInfo error() {
        return error;
    }

    /** Returns after how many seconds a retry may succeed; 0 if unknown. */
    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }
}
