package dev.doyen.server.run;

/** What a run machine wants done, in this order. */
public sealed interface RunEffect {

    void accept(Cases cases);

    /** One method per effect, so that a case forgotten does not compile. */
    interface Cases {
        void start(Start effect);

        void forward(Forward effect);

        void terminate(Terminate effect);

        void kill(Kill effect);

        void save(Save effect);

        void letGo(LetGo effect);

        void resign(Resign effect);

        void tell(Tell effect);

        void exit(Exit effect);
    }

    /** Start the command; answer {@code startFailed} if that cannot be done, and {@code commandExited} when it ended. */
    record Start(long term) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.start(this);
        }
    }

    /** Hand a signal on to the command's group. */
    record Forward(RunSignal signal) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.forward(this);
        }
    }

    /** SIGTERM to everything the command started. */
    record Terminate() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.terminate(this);
        }
    }

    /** SIGKILL to everything the command started. */
    record Kill() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.kill(this);
        }
    }

    /** Save what the command left for the next leader; answer {@code saved} however that ended. */
    record Save() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.save(this);
        }
    }

    /** Nothing works under the lost term any more: the election may go on (rule L6). */
    record LetGo() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.letGo(this);
        }
    }

    /** Give the lease back and stand again; {@code lost} will follow. */
    record Resign() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    record Tell(Notice notice) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.tell(this);
        }
    }

    /** Leave the election, giving back what is held, and end with this code. Nothing follows. */
    record Exit(int code) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.exit(this);
        }
    }
}
