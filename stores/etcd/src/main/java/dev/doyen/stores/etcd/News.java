package dev.doyen.stores.etcd;

import io.etcd.jetcd.KeyValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What watch events brought along and nobody has read yet. An event carries the whole value, so the read that it causes
 * need not be sent: a follower costs the server nothing but the event.
 *
 * <p>What is taken from here may be older than what the server holds by now. That harms nobody (a takeover is decided by
 * the compare-and-set, and waiting counts from receipt), but it could hide a change whose notice was lost; so each is
 * given out once only, and not long after it came. It is never older than what this process has read or written itself:
 * events come late, and a leader that is shown the record before its own takes it for another's.
 *
 * <p>Threads: any. Limit: the newest {@value #MOST}, and {@value #MOST_KNOWN} revisions.
 */
final class News {

    private static final int MOST = 1_000;
    private static final int MOST_KNOWN = 10_000;
    private static final long FRESH_NANOS = 1_000_000_000;

    private final Map<String, Item> items = new LinkedHashMap<>();

    /** The revisions that were read or written without an event, newest last. */
    private final Map<String, Long> known = new LinkedHashMap<>();

    private record Item(KeyValue value, long atNanos) {}

    /** This revision of the key was read or written: what is older is no news any more, whenever it comes. */
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
