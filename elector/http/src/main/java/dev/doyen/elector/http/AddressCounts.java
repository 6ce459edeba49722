package dev.doyen.elector.http;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts the open connections or streams of each client address. An address with the count 0 uses no memory.
 *
 * <p>Threads: any.
 */
final class AddressCounts {

    private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

    /** Adds one to the count of the address, and returns the new count. */
    int add(String address) {
        return counts.merge(address, 1, Integer::sum);
    }

    /** Subtracts one from the count of the address. */
    void remove(String address) {
        counts.computeIfPresent(address, (any, count) -> count > 1 ? count - 1 : null);
    }
}
