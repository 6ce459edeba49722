package dev.doyen.chaos;

/** A real store whose server a test can kill, freeze and start again with its data. */
public interface StoreServer extends AutoCloseable {

    String name();

    int port();

    /** Returns the URL of the store for a process that reaches the server at this host and port. */
    String url(String host, int port);

    /** Kills the server. */
    void kill() throws Exception;

    /** Starts the server again with the same port and data. Returns when the server answers. */
    void startAgain() throws Exception;

    /** Freezes the server (SIGSTOP), so that it answers no client. Its connections stay open. */
    void freeze() throws Exception;

    /** Lets a frozen server continue (SIGCONT). */
    void thaw() throws Exception;

    @Override
    void close() throws Exception;
}
