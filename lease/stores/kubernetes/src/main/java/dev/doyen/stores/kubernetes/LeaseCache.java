package dev.doyen.stores.kubernetes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Caches the Leases as last seen, because a write must keep what others put into the object.
 *
 * <p>Holds the {@value #MAX} most recently used Leases. A write to any other Lease needs one more request.
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
     * Returns false if a later version was seen.
     *
     * <p>An event may arrive after the answer to this process's own write.
     */
    synchronized boolean isNews(LeaseObject object) {
        LeaseObject known = leases.get(object.name());
        return known == null || known.revision() <= object.revision();
    }
}
