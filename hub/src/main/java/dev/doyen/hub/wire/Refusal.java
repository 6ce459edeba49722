package dev.doyen.hub.wire;

/** Input that is not acceptable, with the error for its sender. It is no accident, so it carries no stack trace. */
public final class Refusal extends Exception {

    private final transient ErrorInfo error;

    public Refusal(ErrorCode code, String sentence) {
        this(code.because(sentence));
    }

    public Refusal(ErrorInfo error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    public ErrorInfo error() {
        return error;
    }
}
