package dev.doyen.hub.wire;

/**
 * Thrown to reject input; contains the error for the sender. The exception has no stack trace, because a rejection is
 * an expected result.
 */
public final class Refusal extends Exception {

    private final transient ErrorInfo error;
    private final int retryAfterSeconds;

    public Refusal(ErrorCode code, String sentence) {
        this(code.because(sentence));
    }

    public Refusal(ErrorInfo error) {
        this(error, 0);
    }

    /**
     * @param retryAfterSeconds the seconds after which a retry can succeed; 0 if the time is unknown
     */
    public Refusal(ErrorInfo error, int retryAfterSeconds) {
        super(error.message(), null, false, false);
        this.error = error;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    public ErrorInfo error() {
        return error;
    }

    /** Returns the seconds after which a retry can succeed; 0 if unknown. */
    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }
}
