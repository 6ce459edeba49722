package dev.doyen.stores.kubernetes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Caches the Leases that the store has read or written last. A write needs the current Lease, because the write must
 * preserve the fields of other programs.
 *
 * <p>The cache contains the {@value #MAX} most recently used Leases. If a Lease is not in the cache, a write to this
 * Lease needs one more request.
 *
 * <p>Threads: any.
 */
final class LeaseCache {

    private static final int MAX = 256;

    private final Map<String, LeaseObject> leases = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LeaseObject> eldest) {
            return size() > MAX;
        }
    };

    synchronized LeaseObject remember(LeaseObject object) {
        leases.put(object.name(), object);
        return object;
    }

    synchronized Optional<LeaseObject> at(String name, String resourceVersion) {
        return last(name).filter(object -> object.resourceVersion().equals(resourceVersion));
    }

    synchronized Optional<LeaseObject> last(String name) {
        return Optional.ofNullable(leases.get(name));
    }

    synchronized void forget(String name) {
        leases.remove(name);
    }

    /**
     * Returns false if the cache contains a later version of this Lease.
     *
     * <p>An event can be older than the cached Lease, if the event arrives after the answer to this process's own
     * write.
     */
    synchronized boolean isCurrent(LeaseObject object) {
        LeaseObject known = leases.get(object.name());
        return known == null || known.revision() <= object.revision();
    }
}
