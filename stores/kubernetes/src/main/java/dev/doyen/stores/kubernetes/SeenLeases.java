package dev.doyen.stores.kubernetes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The Leases as they were last seen, whole: a write replaces all of a Lease, and is to keep what others put there. Holds the
 * {@value #MAX} that were used last; what is not here any more costs its next write one request more.
 *
 * <p>Threads: any.
 */
final class SeenLeases {

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

    /** True unless something later than this was seen: an event that comes after the answer to one's own write. */
    synchronized boolean isNews(LeaseObject object) {
        LeaseObject known = leases.get(object.name());
        return known == null || known.revision() <= object.revision();
    }
}
