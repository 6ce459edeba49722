package dev.doyen.stores.etcd;

import io.etcd.jetcd.KeyValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Values from watch events that no read has returned yet.
 *
 * <p>An event contains the whole value, so the read that it causes needs no request. A follower thus costs the server
 * only the event.
 *
 * <p>A value may be older than the server's present one. This is safe, because the compare-and-set decides a takeover,
 * and waiting counts from receipt. But it could hide a change whose event was lost. So each value is returned only
 * once, and only for a short time. It is never older than what this process has read or written itself. Otherwise a
 * late event could show a leader the record before its own, which the leader would take for another holder's.
 *
 * <p>Threads: any. Limits: the newest {@value #MOST} values and {@value #MOST_KNOWN} revisions.
 */
final class UnreadEvents {

    private static final int MOST = 1_000;
    private static final int MOST_KNOWN = 10_000;
    private static final long FRESH_NANOS = 1_000_000_000;

    private final Map<String, Item> items = new LinkedHashMap<>();

    /** The revisions that this process has read or written without an event, newest last. */
    private final Map<String, Long> known = new LinkedHashMap<>();

    private record Item(KeyValue value, long atNanos) {}

    /** Notes that this revision of the key was read or written. Older events are ignored from now on. */
    synchronized void know(String key, long revision) {
        Long before = known.remove(key);
        known.put(key, before == null ? revision : Math.max(before, revision));
        if (known.size() > MOST_KNOWN) {
            known.remove(known.keySet().iterator().next());
        }
        Item item = items.get(key);
        if (item != null && item.value.getModRevision() < revision) {
            items.remove(key);
        }
    }

    synchronized void put(String key, KeyValue value) {
        items.remove(key);
        if (value.getModRevision() < known.getOrDefault(key, 0L)) {
            return;
        }
        items.put(key, new Item(value, System.nanoTime()));
        if (items.size() > MOST) {
            items.remove(items.keySet().iterator().next());
        }
    }

    synchronized Optional<KeyValue> take(String key) {
        Item item = items.remove(key);
        return item == null || System.nanoTime() - item.atNanos > FRESH_NANOS
                ? Optional.empty()
                : Optional.of(item.value);
    }
}
