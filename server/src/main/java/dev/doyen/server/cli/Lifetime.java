package dev.doyen.server.cli;

/** How long a command that serves goes on. */
@FunctionalInterface
interface Lifetime {

    /** Returns when the program is to end, having closed {@code server}. */
    void serveUntilStopped(AutoCloseable server);

    /**
     * Until the process is told to end, by SIGTERM or Ctrl-C. That is what was asked for, so the exit code is 0, which
     * the virtual machine would not give by itself.
     */
    static Lifetime ofProcess() {
        return server -> {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAndHalt(server), "doyen-stop"));
            try {
                Thread.currentThread().join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private static void closeAndHalt(AutoCloseable server) {
        int status = 0;
        try {
            server.close();
        } catch (Exception e) {
            System.err.println("doyen: closing failed: " + e);
            status = 1;
        }
        Runtime.getRuntime().halt(status);
    }
}
