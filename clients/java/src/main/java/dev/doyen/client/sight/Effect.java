package dev.doyen.client.sight;

/** What is to be done, in the order in which it is said. */
public sealed interface Effect {

    void accept(Cases cases);

    /** One method for each. */
    interface Cases {
        void open(String lastEventId);

        void close();

        void ask();

        void tell(LeaderState state);

        void trouble(String sentence);
    }

    /** Open the stream; with that Last-Event-ID unless it is empty. */
    record Open(String lastEventId) implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.open(lastEventId);
        }
    }

    /** Give the stream up; nothing of it is to come in any more. */
    record Close() implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.close();
        }
    }

    /** Put the single question; exactly one {@code answered} or {@code unanswered} is to come in. */
    record Ask() implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.ask();
        }
    }

    /** Tell everybody who listens. */
    record Tell(LeaderState state) implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.tell(state);
        }
    }

    /** The stream failed, after it had worked or in the beginning: for the log. */
    record Trouble(String sentence) implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.trouble(sentence);
        }
    }
}
