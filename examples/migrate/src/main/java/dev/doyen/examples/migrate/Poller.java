package dev.doyen.examples.migrate;

/** What only one instance may do, for as long as it leads: stands for your own code. */
public interface Poller {

    void start();

    /** The same, with the fencing token for what it writes to. */
    void start(long term);

    /** Returns when it has stopped; does nothing if it has not started. */
    void stop();
}
