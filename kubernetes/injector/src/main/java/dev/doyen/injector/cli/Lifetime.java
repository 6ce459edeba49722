package dev.doyen.injector.cli;

/** Runs the program until SIGTERM or Ctrl-C. */
final class Lifetime {

    private Lifetime() {}

    /**
     * Blocks until a signal ends the process. Returns only if the thread is interrupted.
     *
     * <p>The exit code is 0, because the user requested the end. If the program cannot be closed, the exit code is 1.
     * By default, the JVM would exit with 128 plus the number of the signal.
     */
    static void serveUntilStopped(AutoCloseable program) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAndHalt(program), "doyen-stop"));
        try {
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeAndHalt(AutoCloseable program) {
        int status = 0;
        try {
            program.close();
        } catch (Throwable e) {
            System.err.println("doyen injector: closing failed: " + e);
            status = 1;
        } finally {
            Runtime.getRuntime().halt(status);
        }
    }
}
