package dev.doyen.cli.run;

import dev.doyen.process.RunSignal;

/** An effect that the run machine requests. The driver carries out the effects in order. */
public sealed interface RunEffect {

    void accept(Cases cases);

    /** A visitor with one method for each effect. A visitor that lacks a method does not compile. */
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

    /**
     * The driver starts the command. It then calls {@code startFailed} if the start fails, or {@code commandExited}
     * after the command has ended.
     */
    record Start(long term) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.start(this);
        }
    }

    /** The driver forwards a signal to the command's process group. */
    record Forward(RunSignal signal) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.forward(this);
        }
    }

    /** The driver sends SIGTERM to the command and to every process that the command started. */
    record Terminate() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.terminate(this);
        }
    }

    /** The driver sends SIGKILL to the command and to every process that the command started. */
    record Kill() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.kill(this);
        }
    }

    /**
     * The driver saves the command's state for the next leader. The driver then calls {@code saved}, even if the save
     * failed.
     */
    record Save() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.save(this);
        }
    }

    /** The driver may release the lease. All work under the lost term has ended (rule L6). */
    record LetGo() implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.letGo(this);
        }
    }

    /**
     * The driver releases the lease and campaigns again. The driver calls {@code lost} after the leadership has ended.
     */
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

    /**
     * The driver leaves the election, releases a held lease, and exits with this code. No effect except {@link LetGo}
     * follows.
     */
    record Exit(int code) implements RunEffect {
        @Override
        public void accept(Cases cases) {
            cases.exit(this);
        }
    }
}
