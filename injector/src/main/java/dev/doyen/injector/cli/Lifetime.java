package dev.doyen.injector.cli;

/** How long the program goes on: until it is told to end, by SIGTERM or Ctrl-C. */
final class Lifetime {

    private Lifetime() {}

    /** Never returns. Being told to end is what was asked for, so the exit code is 0, which a JVM would not give by itself. */
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
        } catch (Exception e) {
            System.err.println("doyen injector: closing failed: " + e);
            status = 1;
        }
        Runtime.getRuntime().halt(status);
    }
}
