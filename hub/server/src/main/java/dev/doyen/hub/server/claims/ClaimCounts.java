package dev.doyen.hub.server.claims;

import dev.doyen.elector.metrics.Tally.Latencies;

/**
 * The counts of a hub's claims, and of its requests to their store.
 *
 * @param held the number of claims that members of this hub hold
 * @param requestsWaiting the number of requests to the store that wait for a thread
 * @param reads the response times of answered reads
 * @param writes the response times of answered writes
 * @param failures the number of requests without a usable answer
 */
public record ClaimCounts(int held, int requestsWaiting, Latencies reads, Latencies writes, long failures) {}
