package dev.doyen.hub.channel;

import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Message;
import java.util.List;

/** Orders the changes of all channels. A single hub has its own log; several nodes share one log. */
public interface Log {

    /**
     * Proposes a change. The change takes effect during this call, later or never.
     *
     * <p>The log calls exactly one method of {@code outcome}, unless the process ends first.
     */
    void append(StepContext step, Change change, Outcome outcome);

    /** Receives the result of a proposed change. */
    interface Outcome {
        /**
         * Handles a change that has taken effect. If the change repeats an earlier one, only the earlier one took
         * effect.
         *
         * @param published the messages with their serials; empty for other changes
         */
        void done(StepContext step, List<Message> published);

        /**
         * Handles a rejected change. The change has no effect, unless the log received it before this node lost its
         * membership.
         */
        void refused(StepContext step, ErrorInfo why);
    }

    /** The error for clients while this node is not a member of the group. */
    ErrorInfo OUT_OF_TOUCH = ErrorCode.UNAVAILABLE.because(
            "this node has lost the connection to the other nodes; try another node, or try later");

    /** The outcome that ignores the result. */
    Outcome IGNORED = new Outcome() {
        @Override
        public void done(StepContext step, List<Message> published) {}

        @Override
        public void refused(StepContext step, ErrorInfo why) {}
    };
}
