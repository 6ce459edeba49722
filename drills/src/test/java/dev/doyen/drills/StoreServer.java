package dev.doyen.drills;

/** A real store that can be stopped and started again with its data. */
interface StoreServer extends AutoCloseable {

    String name();

    int port();

    /** The store's URL for a process that reaches the server at this address. */
    String url(String host, int port);

    /** Ends the server without any farewell. */
    void kill() throws Exception;

    void startAgain() throws Exception;

    @Override
    void close() throws Exception;
}
