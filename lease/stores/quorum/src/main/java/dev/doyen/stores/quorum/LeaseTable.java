package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.VersionedLease;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The records that are replicated on all members.
 *
 * <p>Members that apply the same writes at the same indices have the same records with the same versions. A version
 * consists of the index of the log entry and the position of the write in this entry. Therefore no version is used
 * twice.
 *
 * <p>Threads: one thread changes the table; any thread may read.
 */
final class LeaseTable {

    /** The size in bytes at which a part of a snapshot is complete. */
    static final int PART_BYTES = 256 * 1024;

    /**
     * The maximum number of bytes of all records together. This limit keeps a member's directory small; see
     * {@link JournalGrowth}. The records can exceed the limit a little, because a write of an existing record is not
     * rejected unless its saved state is larger.
     */
    static final long MAX_BYTES = 3_000_000;

    private static final Comparator<LeaseVersion> ORDER =
            Comparator.comparingLong((LeaseVersion each) -> part(each, 0)).thenComparingLong(each -> part(each, 1));

    private final Map<String, VersionedLease> leases = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    /** The size of each record, in bytes. */
    private final Map<String, Integer> sizes = new ConcurrentHashMap<>();

    VersionedLease read(String election) {
        return leases.getOrDefault(election, VersionedLease.ABSENT);
    }

    /** Returns the total size of all records in a snapshot, in bytes. */
    long bytes() {
        return bytes.get();
    }

    /**
     * Returns the number of bytes that new records and larger saved states among these writes would add to the table,
     * including the notes of these records.
     *
     * <p>Any other write counts as 0 bytes. If the limit stopped such a write, an election without a leader could not
     * elect the next one. The notes of these writes can grow too, so {@link #apply} limits them.
     */
    long growth(List<LeaseStore.Write> writes) {
        long growth = 0;
        for (LeaseStore.Write each : writes) {
            String election = each.next().election();
            LeaseRecord present = read(election).record().orElse(null);
            if (present == null
                    || each.next().state().length() > present.state().length()) {
                growth += Math.max(0, LeaseBytes.ofWrites(List.of(each)).length - sizes.getOrDefault(election, 0));
            }
        }
        return growth;
    }

    /** Returns the lease with the later version; {@code one} if the versions are equal. */
    static VersionedLease newer(VersionedLease one, VersionedLease other) {
        return ORDER.compare(other.version(), one.version()) > 0 ? other : one;
    }

    /**
     * Executes each write whose expected version equals the current version.
     *
     * <p>While the records exceed {@link #MAX_BYTES}, the table stores written records without their past terms. Past
     * terms are only information for people, and are the only part of a record that grows with each leader.
     *
     * @param changed receives the election of each executed write
     */
    List<CasOutcome> apply(long index, List<LeaseStore.Write> writes, Consumer<String> changed) {
        List<CasOutcome> outcomes = new ArrayList<>(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            LeaseStore.Write write = writes.get(i);
            String election = write.next().election();
            VersionedLease current = read(election);
            if (current.version().equals(write.expected())) {
                var version = new LeaseVersion(index + "." + i);
                put(VersionedLease.of(
                        version, bytes() > MAX_BYTES ? write.next().withoutPast() : write.next()));
                changed.accept(election);
                outcomes.add(new CasOutcome.Written(version));
            } else {
                outcomes.add(new CasOutcome.Conflict(current));
            }
        }
        return outcomes;
    }

    /**
     * Returns all records in parts of about {@value #PART_BYTES} bytes; at least one part.
     *
     * <p>Members with the same records must return the same parts, because MicroRaft can take the parts of one snapshot
     * from several leaders.
     */
    List<byte[]> snapshot() {
        List<byte[]> parts = new ArrayList<>();
        var part = new ByteSink();
        for (VersionedLease lease : new TreeMap<>(leases).values()) {
            LeaseBytes.writeLease(part, lease);
            if (part.size() >= PART_BYTES) {
                parts.add(part.bytes());
                part = new ByteSink();
            }
        }
        parts.add(part.bytes());
        return parts;
    }

    /**
     * Stores all records of a snapshot. No table deletes records, so the snapshot also contains every record that this
     * table had before.
     *
     * @param changed receives each election whose record changed
     */
    void install(List<byte[]> parts, Consumer<String> changed) {
        for (byte[] part : parts) {
            var source = new ByteSource(part);
            while (source.hasMore()) {
                VersionedLease lease = LeaseBytes.readLease(source);
                if (!lease.equals(put(lease))) {
                    changed.accept(lease.record().orElseThrow().election());
                }
            }
        }
    }

    /** Stores a lease and returns the previous lease of the election. */
    private VersionedLease put(VersionedLease lease) {
        String election = lease.record().orElseThrow().election();
        VersionedLease before = read(election);
        var sink = new ByteSink();
        LeaseBytes.writeLease(sink, lease);
        Integer size = sizes.put(election, sink.size());
        bytes.addAndGet(sink.size() - (size == null ? 0 : size));
        leases.put(election, lease);
        return before;
    }

    /**
     * Returns one number of a version; -1 for an absent record. Number 0 is the index of the log entry, and number 1 is
     * the position of the write in this entry.
     */
    private static long part(LeaseVersion version, int number) {
        if (version.isAbsent()) {
            return -1;
        }
        String[] parts = version.value().split("\\.", -1);
        if (parts.length != 2 || !parts[number].matches("[0-9]{1,18}")) {
            throw new MalformedBytesException("a version is not an index and a position");
        }
        return Long.parseLong(parts[number]);
    }
}
