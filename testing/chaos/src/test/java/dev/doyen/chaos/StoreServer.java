package dev.doyen.chaos;

/** A real store whose server can be killed, frozen, and started again with its data. */
public interface StoreServer extends AutoCloseable {

    String name();

    int port();

    /** Returns the store's URL for a process that reaches the server at this address. */
    String url(String host, int port);

    /** Kills the server. */
    void kill() throws Exception;

    /** Starts the server again with the same port and data. Returns when it answers. */
    void startAgain() throws Exception;

    /** Stops all processes of the server (SIGSTOP). Its connections stay open. */
    void freeze() throws Exception;

    /** Lets a frozen server continue (SIGCONT). */
    void thaw() throws Exception;

    @Override
    void close() throws Exception;
}
