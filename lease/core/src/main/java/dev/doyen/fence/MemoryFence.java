package dev.doyen.fence;

import dev.doyen.text.ElectionNames;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fence in the memory of this JVM, with one map entry per resource. The number of entries is limited.
 *
 * <p>If the map is full, the fence rejects a new resource. It never removes a stored resource, because it would then
 * admit a former leader of this resource.
 */
final class MemoryFence implements Fence {

    private final ConcurrentMap<String, Long> highest = new ConcurrentHashMap<>();
    private final AtomicInteger free;
    private final int most;

    MemoryFence(int most) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "a fence for " + most + " resources guards nothing; at least 1 is needed");
        }
        this.most = most;
        this.free = new AtomicInteger(most);
    }

    @Override
    public void admit(String resource, long term) {
        ElectionNames.check("resource", resource);
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
        long seen = highest.compute(resource, (name, known) -> {
            if (known == null) {
                takeRoom(name);
                return term;
            }
            return Math.max(known, term);
        });
        if (seen > term) {
            throw new StaleTermException(resource, term, seen);
        }
    }

    private void takeRoom(String resource) {
        if (free.getAndUpdate(left -> Math.max(left - 1, 0)) == 0) {
            throw new FenceFullException(resource, most);
        }
    }
}
