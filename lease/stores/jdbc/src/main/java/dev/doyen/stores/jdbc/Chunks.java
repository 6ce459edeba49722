package dev.doyen.stores.jdbc;

import dev.doyen.store.LeaseStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Splits many reads or writes into chunks. Each chunk is small enough for one call to the database. */
final class Chunks {

    static final int MAX_NAMES = 500;
    static final int MAX_WRITES = 1_000;

    /**
     * The limit in bytes for the saved states in one chunk, unless a single state is larger. Saved states are the
     * largest part of a record.
     */
    private static final long MAX_STATE_BYTES = 1024 * 1024;

    private Chunks() {}

    static List<List<String>> ofNames(Collection<String> names) {
        List<List<String>> chunks = new ArrayList<>();
        List<String> open = new ArrayList<>();
        for (String name : names) {
            open.add(name);
            if (open.size() == MAX_NAMES) {
                chunks.add(open);
                open = new ArrayList<>();
            }
        }
        if (!open.isEmpty()) {
            chunks.add(open);
        }
        return chunks;
    }

    /** Splits the writes so that no chunk contains two writes for the same election. */
    static List<List<LeaseStore.Write>> ofWrites(List<LeaseStore.Write> writes) {
        List<List<LeaseStore.Write>> chunks = new ArrayList<>();
        List<LeaseStore.Write> open = new ArrayList<>();
        Set<String> names = new HashSet<>();
        long bytes = 0;
        for (LeaseStore.Write write : writes) {
            int more = write.next().state().bytes().length;
            boolean full = open.size() == MAX_WRITES || bytes + more > MAX_STATE_BYTES;
            if (!open.isEmpty() && (full || names.contains(write.next().election()))) {
                chunks.add(open);
                open = new ArrayList<>();
                names.clear();
                bytes = 0;
            }
            open.add(write);
            names.add(write.next().election());
            bytes += more;
        }
        if (!open.isEmpty()) {
            chunks.add(open);
        }
        return chunks;
    }
}
