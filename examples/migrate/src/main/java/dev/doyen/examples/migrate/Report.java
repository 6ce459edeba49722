package dev.doyen.examples.migrate;

/** Your own work that must run on one instance at a time. */
public interface Report {

    /** Returns which run is due, such as the day's date. */
    String due();

    void write();

    /** Writes with the fencing token for the resource. */
    void write(long term);
}
