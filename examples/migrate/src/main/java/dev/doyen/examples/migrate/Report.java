package dev.doyen.examples.migrate;

/** The application's own work, which must run on one instance at a time. */
public interface Report {

    /** Returns the name of the due run, such as the date of the day. */
    String due();

    void write();

    /** Writes the report with the fencing token for the resource. */
    void write(long term);
}
