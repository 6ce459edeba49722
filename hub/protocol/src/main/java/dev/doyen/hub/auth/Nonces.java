package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Refusal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The used nonces of token requests, each with the timestamp of its request. A nonce is stored as long as its request
 * could be valid. A nonce with another timestamp belongs to another request.
 *
 * <p>If the maximum number of nonces is stored, this class rejects new nonces and removes none.
 */
final class Nonces {

    /**
     * The time for which a nonce is stored. A request is valid from {@link Tokens#CLOCK_TOLERANCE} before its timestamp
     * until {@code CLOCK_TOLERANCE} after it.
     */
    private static final long KEPT_MILLIS = 2 * Tokens.CLOCK_TOLERANCE.toMillis();

    private final int limit;
    /** The time at which each nonce was used, with the oldest nonce first. */
    private final Map<String, Long> used = new LinkedHashMap<>();

    Nonces(int limit) {
        this.limit = limit;
    }

    void use(String nonce, long nowMillis) throws Refusal {
        forget(nowMillis);
        if (used.containsKey(nonce)) {
            throw new Refusal(
                    ErrorCode.NONCE_USED,
                    "a token request with this nonce and timestamp was used before; make a new request each time");
        }
        if (used.size() >= limit) {
            throw new Refusal(
                    ErrorCode.UNAVAILABLE,
                    "the hub has had " + limit + " token requests in " + KEPT_MILLIS / 1_000
                            + " s, its limit; try again later");
        }
        used.put(nonce, nowMillis);
    }

    /**
     * Removes expired nonces. If the clock is set back, an entry is stored for a longer time, never for a shorter time.
     */
    private void forget(long nowMillis) {
        for (Iterator<Long> times = used.values().iterator(); times.hasNext(); ) {
            if (nowMillis - times.next() <= KEPT_MILLIS) {
                return;
            }
            times.remove();
        }
    }
}
