package dev.doyen.store;

/**
 * A store's identifier of one state of a record, such as an ETag, a revision or a counter.
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
