package dev.doyen.hub.channel;

import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Message;
import java.util.List;

/** Orders the changes of all channels. A single hub has its own log; the nodes of one hub share one. */
public interface Log {

    /**
     * Proposes a change. It takes effect at once, later or never.
     *
     * <p>The outcome is called in every case, except when the process ends.
     */
    void append(StepContext step, Change change, Outcome outcome);

    /** Receives the result of a proposed change. */
    interface Outcome {
        /**
         * The change has taken effect now, or had before.
         *
         * @param published the messages with their serials; empty for other changes
         */
        void done(StepContext step, List<Message> published);

        /** The change will not take effect. */
        void refused(StepContext step, ErrorInfo why);
    }

    /** The error while this node is not in touch with the log. */
    ErrorInfo OUT_OF_TOUCH =
            ErrorCode.UNAVAILABLE.because("this node has lost touch with the others; try again at another, or later");

    /** Ignores the result. */
    Outcome UNHEARD = new Outcome() {
        @Override
        public void done(StepContext step, List<Message> published) {}

        @Override
        public void refused(StepContext step, ErrorInfo why) {}
    };
}
