package dev.doyen.server.cli;

import dev.doyen.server.DoyenServer;
import dev.doyen.server.run.RunSignal;
import dev.doyen.server.run.driver.ProcessSignals;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** How long a command that serves goes on. */
@FunctionalInterface
interface Lifetime {

    /** Returns when the program is to end, having closed {@code server}. */
    void serveUntilStopped(DoyenServer server);

    /**
     * Until the process is told to end, by SIGTERM or Ctrl-C; told again, it does not take its time. To end is what was
     * asked for, so the exit code is 0, which the virtual machine would not give by itself.
     */
    static Lifetime ofProcess() {
        return server -> {
            var told = new AtomicBoolean();
            ProcessSignals.catchOnly(List.of(RunSignal.TERM, RunSignal.INT), signal -> {
                if (told.getAndSet(true)) {
                    server.hurry();
                } else {
                    // Not by exit and a hook: beside those the log is taken down, and this thread must be free.
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

    /** On the caller's thread if no other thread can be started, because the process has to end. */
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
