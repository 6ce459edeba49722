package dev.doyen.examples.migrate;

/** The application's own work, which only the leader may do. */
public interface Poller {

    void start();

    /** Starts the work with the fencing token for the resource to which the work writes. */
    void start(long term);

    /** Stops the work and returns after the work has stopped. The method does nothing if the work has not started. */
    void stop();
}
