package dev.doyen.store;

/**
 * Identifies one state of a record in a store, like an HTTP ETag.
 *
 * <p>Versions are compared for equality only. A store never uses a version twice for one election, even if it writes
 * the same record again.
 */
public record LeaseVersion(String value) {

    /** The version of an election that has no record. */
    public static final LeaseVersion ABSENT = new LeaseVersion("");

    public static LeaseVersion of(long revision) {
        return new LeaseVersion(Long.toString(revision));
    }

    public boolean isAbsent() {
        return value.isEmpty();
    }
}
