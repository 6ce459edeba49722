package dev.doyen.stores.etcd;

import io.etcd.jetcd.KeyValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stores the values of recent watch events until a read returns them.
 *
 * <p>An event contains the whole value. So the read that follows the event needs no request.
 *
 * <p>A stored value can be older than the value on the server. An older value is safe for two reasons: a takeover
 * succeeds only if its compare-and-set succeeds, and a follower counts its wait before a takeover from the receipt of
 * the value. But an older value could hide a change whose event was lost. So each value is returned only once, and only
 * for a short time. A returned value is never older than a value that this process has read or written itself.
 * Otherwise a late event could give a new leader the record of the previous holder.
 *
 * <p>Threads: any. Limits: the class stores the newest {@value #MOST} values, and the revisions of the
 * {@value #MOST_KNOWN} keys that were used last. For any other key, the class does not detect a late event.
 */
final class UnreadEvents {

    private static final int MOST = 1_000;
    private static final int MOST_KNOWN = 10_000;
    private static final long FRESH_NANOS = 1_000_000_000;

    private final Map<String, Item> items = new LinkedHashMap<>();

    /**
     * By key, the newest revision that this process has read or written itself. The map contains only the
     * {@value #MOST_KNOWN} keys that were used last. The most recently used keys are at the end.
     */
    private final Map<String, Long> known = new LinkedHashMap<>();

    private record Item(KeyValue value, long atNanos) {}

    /** Records that this revision of the key was read or written. The class ignores older events from then on. */
    synchronized void recordRevision(String key, long revision) {
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
