package dev.doyen.hub;

import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Message;
import java.util.List;

/** The order in which everything happens to channels. A hub by itself has its own; the nodes of one hub share theirs. */
interface Log {

    /** Has this happen in its turn: at once, or later, or never. The outcome is told in every case but the end of the node. */
    void append(Turn turn, Change change, Outcome outcome);

    /** What became of a change. */
    interface Outcome {
        /**
         * It has happened just now, or had before.
         *
         * @param published as it was published; empty if it was something else
         */
        void done(Turn turn, List<Message> published);

        /** It did not happen. */
        void refused(Turn turn, ErrorInfo why);
    }

    /** For a change that nobody waits for. */
    Outcome UNHEARD = new Outcome() {
        @Override
        public void done(Turn turn, List<Message> published) {}

        @Override
        public void refused(Turn turn, ErrorInfo why) {}
    };
}
