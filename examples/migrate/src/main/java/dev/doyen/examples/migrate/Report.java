package dev.doyen.examples.migrate;

/** What is to be done once at a time, on any of the instances: stands for your own code. */
public interface Report {

    /** Which run is due, such as the day's date. */
    String due();

    void write();

    /** The same, with the fencing token for what it writes to. */
    void write(long term);
}
