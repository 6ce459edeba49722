package dev.doyen.hub.wire;

/** Input that is not acceptable, with the error for its sender. It is no accident, so it carries no stack trace. */
public final class Refusal extends Exception {

    private final transient ErrorInfo error;
    private final int retryAfterSeconds;

    public Refusal(ErrorCode code, String sentence) {
        this(code.because(sentence));
    }

    public Refusal(ErrorInfo error) {
        this(error, 0);
    }

    /** @param retryAfterSeconds when the same may succeed; 0 if that is not known */
    public Refusal(ErrorInfo error, int retryAfterSeconds) {
        super(error.message(), null, false, false);
        this.error = error;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    public ErrorInfo error() {
        return error;
    }

    /** In so many seconds the same may succeed; 0 if that is not known. */
    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }
}
