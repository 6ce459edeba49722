package dev.doyen.cli;

import dev.doyen.hub.server.HubServer;
import dev.doyen.process.ProcessSignals;
import dev.doyen.process.RunSignal;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Decides how long a command with a server runs. */
@FunctionalInterface
interface ServerLifecycle {

    /** Blocks until the program must end, and then closes {@code server}. Some implementations end the JVM here. */
    void serveUntilStopped(HubServer server);

    /**
     * Returns a lifecycle that ends at SIGTERM or Ctrl-C. A second signal ends the drain early. SIGHUP reloads the
     * settings file of a server that has one.
     *
     * <p>The exit code is 0 if the server closes without an error, because the user requested the end. By default, the
     * JVM would exit with 128 plus the number of the signal.
     */
    static ServerLifecycle ofProcess() {
        return server -> {
            var signalled = new AtomicBoolean();
            ProcessSignals.catchOnly(List.of(RunSignal.TERM, RunSignal.INT), signal -> {
                if (signalled.getAndSet(true)) {
                    server.hurry();
                } else {
                    // System.exit with a shutdown hook does not work here, because the hook of the log manager would
                    // close the log at the same time. The close runs on a separate thread, because the signal thread
                    // must be free to handle a second signal.
                    start(() -> closeAndHalt(server));
                }
            });
            // Without a file to reload, the JVM ends at SIGHUP, for example when the user closes the terminal.
            if (server.canReload()) {
                ProcessSignals.catchOnly(List.of(RunSignal.HUP), signal -> server.reload());
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAndHalt(server), "doyen-stop"));
            try {
                Thread.currentThread().join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /**
     * Runs {@code end} on a new thread if the JVM can start a thread.
     *
     * <p>Otherwise {@code end} runs on the caller's thread, because the process must end.
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
