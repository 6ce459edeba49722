package dev.doyen.hub.server.claims;

import dev.doyen.elector.metrics.ElectionMetrics;
import dev.doyen.elector.metrics.StoreTally;
import java.util.List;

/**
 * The counts of a hub's claims, and of its requests to their store.
 *
 * @param held the number of claims that members of this hub hold
 * @param requestsWaiting the number of requests to the store that wait for a thread
 * @param watched the metrics of the elections that the hub always observes
 * @param store the counters of the calls to the store
 */
public record ClaimCounts(int held, int requestsWaiting, List<ElectionMetrics> watched, StoreTally store) {

    public ClaimCounts {
        watched = List.copyOf(watched);
    }
}
