package dev.doyen.client.state;

/** An action that the machine requests from the driver. The driver carries out the effects in order. */
public sealed interface Effect {

    void accept(Cases cases);

    /** A visitor with one method for each kind of effect. */
    interface Cases {
        void open(String lastEventId);

        void close();

        void request();

        void notifyListener(LeaderState state);

        void trouble(String sentence);

        void recovered();
    }

    /** Opens the stream. The request contains {@code lastEventId} unless it is empty. */
    record Open(String lastEventId) implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.open(lastEventId);
        }
    }

    /** Closes the stream. No event of the closed stream may arrive afterwards. */
    record Close() implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.close();
        }
    }

    /** Sends a single request. Exactly one input {@code answered} or {@code unanswered} must follow. */
    record Request() implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.request();
        }
    }

    /** Notifies all listeners. */
    record Notify(LeaderState state) implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.notifyListener(state);
        }
    }

    /**
     * Logs that the stream has failed. The machine requests this effect only for the first failure since the last event
     * that names a leader.
     */
    record Trouble(String sentence) implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.trouble(sentence);
        }
    }

    /** Logs that the stream names a leader again, after {@link Trouble}. */
    record Recovered() implements Effect {
        @Override
        public void accept(Cases cases) {
            cases.recovered();
        }
    }
}
