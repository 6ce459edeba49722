package dev.doyen.store;

/**
 * A store's own name for one state of a record: an ETag, a revision, a counter. Compared for equality only. A store
 * never uses a version twice for one election, not even if the same record is written again.
 */
public record LeaseVersion(String value) {

    /** The version of an election that has no record yet. */
    public static final LeaseVersion ABSENT = new LeaseVersion("");

    public static LeaseVersion of(long revision) {
        return new LeaseVersion(Long.toString(revision));
    }

    public boolean isAbsent() {
        return value.isEmpty();
    }
}
