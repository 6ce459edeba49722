package dev.doyen.testkit;

/** A server that a test kills, freezes and restarts. It may consist of several processes. */
public interface RunningServer extends AutoCloseable {

    /** Returns the port on this machine. */
    int port();

    /** Sends SIGKILL to all its processes. Returns when they have ended. */
    void kill();

    /** Starts the server again with the same port and data, and waits until it listens. */
    void restart() throws Exception;

    /** Sends SIGSTOP to all its processes. Connections stay open. */
    void freeze() throws Exception;

    /** Sends SIGCONT to all its processes. */
    void thaw() throws Exception;

    @Override
    void close();
}
