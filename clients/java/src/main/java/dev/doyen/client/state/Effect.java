package dev.doyen.client.state;

/** An action of the driver. Effects are carried out in order. */
public sealed interface Effect {

    void accept(Cases cases);

    /** One method for each kind. */
    interface Cases {
        void open(String lastEventId);

        void close();

        void ask();

        void tell(LeaderState state);

        void trouble(String sentence);
    }

    /** Opens the stream, with this Last-Event-ID unless it is empty. */
    record Open(String lastEventId) implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.open(lastEventId);
        }
    }

    /** Closes the stream. None of its events may arrive afterwards. */
    record Close() implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.close();
        }
    }

    /** Sends the single question. Exactly one {@code answered} or {@code unanswered} must follow. */
    record Ask() implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.ask();
        }
    }

    /** Notifies all listeners. */
    record Tell(LeaderState state) implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.tell(state);
        }
    }

    /** Logs that the stream failed, after it had worked or at the start. */
    record Trouble(String sentence) implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.trouble(sentence);
        }
    }
}
