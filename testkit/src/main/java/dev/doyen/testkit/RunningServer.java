package dev.doyen.testkit;

/** A server that a test kills, freezes, and starts again on its data. It may consist of several processes. */
public interface RunningServer extends AutoCloseable {

    /** Where clients reach it on this machine. */
    int port();

    /** SIGKILL of all its processes. Returns when they have ended. */
    void kill();

    /** Starts it again on the same port and data, and waits until it listens. */
    void restart() throws Exception;

    /** SIGSTOP of all its processes. Its connections stay open. */
    void freeze() throws Exception;

    /** SIGCONT of all its processes. */
    void thaw() throws Exception;

    @Override
    void close();
}
