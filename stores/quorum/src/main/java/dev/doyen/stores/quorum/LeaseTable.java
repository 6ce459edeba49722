package dev.doyen.stores.quorum;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.LeaseWrite;
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
 * The records that all members hold. Members that apply the same writes at the same indices of the log hold the same
 * records under the same versions. A version is the index of the log and the position in the entry, so it is never used
 * twice.
 *
 * <p>Threads: one changes the table; any may read.
 */
final class LeaseTable {

    /** A part of a snapshot ends after the record with which it reaches this size, in bytes. */
    static final int PART_BYTES = 256 * 1024;

    /** The most bytes of all records together. So a member's directory stays small; see {@link JournalGrowth}. */
    static final long MAX_BYTES = 3_000_000;

    private static final Comparator<LeaseVersion> ORDER =
            Comparator.comparingLong((LeaseVersion each) -> part(each, 0)).thenComparingLong(each -> part(each, 1));

    private final Map<String, VersionedLease> leases = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    /** The bytes of each record. */
    private final Map<String, Integer> sizes = new ConcurrentHashMap<>();

    VersionedLease read(String election) {
        return leases.getOrDefault(election, VersionedLease.ABSENT);
    }

    /** The bytes of all records together, as a snapshot has them. */
    long bytes() {
        return bytes.get();
    }

    /** How many bytes these writes would add: new records, and more saved state. So a renewal adds nothing. */
    long growth(List<LeaseWrite> writes) {
        long growth = 0;
        for (LeaseWrite each : writes) {
            LeaseRecord present = read(each.next().election()).record().orElse(null);
            growth += present == null
                    ? LeaseBytes.ofWrites(List.of(each)).length
                    : Math.max(0, each.next().state().length() - present.state().length());
        }
        return growth;
    }

    /** Returns the lease with the later version; the first one if they have the same. */
    static VersionedLease newer(VersionedLease one, VersionedLease other) {
        return ORDER.compare(other.version(), one.version()) > 0 ? other : one;
    }

    /**
     * Carries out each write whose expected version is the present one.
     *
     * @param changed told the election of each write that was carried out
     */
    List<CasOutcome> apply(long index, List<LeaseWrite> writes, Consumer<String> changed) {
        List<CasOutcome> outcomes = new ArrayList<>(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            LeaseWrite write = writes.get(i);
            String election = write.next().election();
            VersionedLease current = read(election);
            if (current.version().equals(write.expected())) {
                var version = new LeaseVersion(index + "." + i);
                put(VersionedLease.of(version, write.next()));
                changed.accept(election);
                outcomes.add(new CasOutcome.Written(version));
            } else {
                outcomes.add(new CasOutcome.Conflict(current));
            }
        }
        return outcomes;
    }

    /**
     * Everything, in parts of about {@value #PART_BYTES} bytes; at least one part. Members that hold the same records
     * return the same parts: MicroRaft takes some of a snapshot's parts from one leader and the others from the next.
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
     * Replaces everything by a snapshot.
     *
     * @param changed told each election whose record is another now
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

    /** Returns the lease that was there. */
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

    /** The index of the log, or the position in the entry; -1 for an absent record. */
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
