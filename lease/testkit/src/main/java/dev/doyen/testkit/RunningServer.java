package dev.doyen.testkit;

/** A server that a test kills, freezes and restarts. The server can consist of several processes. */
public interface RunningServer extends AutoCloseable {

    /** Returns the port of the server on this computer. */
    int port();

    /** Sends SIGKILL to all processes of the server. Returns when these processes have ended. */
    void kill();

    /** Starts the server again with the same port and data, and waits until it listens. */
    void restart() throws Exception;

    /** Sends SIGSTOP to all processes of the server. Connections stay open. */
    void freeze() throws Exception;

    /** Sends SIGCONT to all processes of the server. */
    void thaw() throws Exception;

    @Override
    void close();
}
