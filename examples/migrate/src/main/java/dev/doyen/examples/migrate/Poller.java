package dev.doyen.examples.migrate;

/** Your own work that only one instance may do, for as long as it leads. */
public interface Poller {

    void start();

    /** Starts with the fencing token for the resource that it writes to. */
    void start(long term);

    /** Stops, and returns when it has stopped. Does nothing if it has not started. */
    void stop();
}
