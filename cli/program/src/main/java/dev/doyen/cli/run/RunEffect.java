package dev.doyen.cli.run;

import dev.doyen.process.RunSignal;

/** An effect of the run machine; the driver carries effects out in order. */
public sealed interface RunEffect {

    void accept(Cases cases);

    /** One method per effect, so that a missing case does not compile. */
    interface Cases {
        void start(Start effect);

        void forward(Forward effect);

        void terminate(Terminate effect);

        void kill(Kill effect);

        void save(Save effect);

        void letGo(LetGo effect);

        void resign(Resign effect);

        void report(Report effect);

        void exit(Exit effect);
    }

    /** Start the command. Answer {@code startFailed} if that fails, or {@code commandExited} after it has ended. */
    record Start(long term) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.start(this);
        }
    }

    /** Forward a signal to the command's process group. */
    record Forward(RunSignal signal) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.forward(this);
        }
    }

    /** Send SIGTERM to every process that the command started. */
    record Terminate() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.terminate(this);
        }
    }

    /** Send SIGKILL to every process that the command started. */
    record Kill() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.kill(this);
        }
    }

    /** Save the command's state for the next leader. Answer {@code saved}, whether or not that succeeded. */
    record Save() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.save(this);
        }
    }

    /** All work under the lost term has ended, so the lease may be released (rule L6). */
    record LetGo() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.letGo(this);
        }
    }

    /** Release the lease and campaign again; the input {@code lost} follows. */
    record Resign() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.resign(this);
        }
    }

    record Report(Notice notice) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.report(this);
        }
    }

    /** Leave the election, release the lease if it is held, and exit with this code. No effect follows. */
    record Exit(int code) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.exit(this);
        }
    }
}
