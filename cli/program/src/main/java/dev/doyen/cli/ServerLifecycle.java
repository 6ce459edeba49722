package dev.doyen.cli;

import dev.doyen.hub.server.HubServer;
import dev.doyen.process.ProcessSignals;
import dev.doyen.process.RunSignal;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Decides how long a command that serves keeps running. */
@FunctionalInterface
interface ServerLifecycle {

    /** Blocks until the program is to end, and closes {@code server}. It may end the JVM instead of returning. */
    void serveUntilStopped(HubServer server);

    /**
     * Serves until SIGTERM or Ctrl-C. A second signal cuts the drain short.
     *
     * <p>The exit code is 0 because the user asked for the end. The JVM alone would exit with 128 plus the number of
     * the signal.
     */
    static ServerLifecycle ofProcess() {
        return server -> {
            var signalled = new AtomicBoolean();
            ProcessSignals.catchOnly(List.of(RunSignal.TERM, RunSignal.INT), signal -> {
                if (signalled.getAndSet(true)) {
                    server.hurry();
                } else {
                    // Not System.exit with a shutdown hook: the log manager's own hook would close the log meanwhile. A
                    // separate thread, because the thread of the signals must be free for the second one.
                    start(() -> closeAndHalt(server));
                }
            });
            Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAndHalt(server), "doyen-stop"));
            try {
                Thread.currentThread().join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /**
     * Starts a thread, or runs on the caller's thread if no thread can start.
     *
     * <p>The process must end in any case.
     */
    private static void start(Runnable end) {
        try {
            new Thread(end, "doyen-stop").start();
        } catch (OutOfMemoryError e) {
            end.run();
        }
    }

    private static void closeAndHalt(AutoCloseable server) {
        int status = 0;
        try {
            server.close();
        } catch (Throwable e) {
            System.err.println("doyen: closing failed: " + e);
            status = 1;
        } finally {
            Runtime.getRuntime().halt(status);
        }
    }
}
