package dev.doyen.hub;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;

/** Input that is not acceptable, with the error for its sender. It is no accident, so it carries no stack trace. */
final class Refusal extends Exception {

    private final transient ErrorInfo error;

    Refusal(ErrorCode code, String sentence) {
        super(sentence, null, false, false);
        this.error = code.because(sentence);
    }

    ErrorInfo error() {
        return error;
    }
}
