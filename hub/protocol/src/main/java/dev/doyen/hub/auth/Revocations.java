package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Stores which tokens are revoked: those of a target that were issued before a time.
 *
 * <p>An entry is stored as long as such a token could be valid. When full, it rejects new entries and forgets none.
 */
final class Revocations {

    private final int limit;
    /** Tokens of the target that were issued before this time are revoked. In the order of the last change. */
    private final Map<RevocationTarget, Long> issuedBefore = new LinkedHashMap<>();

    Revocations(int limit) {
        this.limit = limit;
    }

    /** Revokes the target's tokens that were issued before a time. The time must not be in the future. */
    void revoke(RevocationTarget target, long beforeMillis, long nowMillis) throws Refusal {
        forget(nowMillis);
        if (!issuedBefore.containsKey(target) && issuedBefore.size() >= limit) {
            throw new Refusal(
                    ErrorCode.UNAVAILABLE,
                    "the hub remembers " + limit + " revocations, its limit; revoke " + Quote.of(target.toString())
                            + " by giving its key another secret");
        }
        Long known = issuedBefore.remove(target);
        issuedBefore.put(target, known == null ? beforeMillis : Math.max(known, beforeMillis));
    }

    boolean isRevoked(Access access) {
        OptionalLong issued = access.issuedMillis();
        if (issued.isEmpty() || issuedBefore.isEmpty()) {
            return false;
        }
        for (RevocationTarget target : RevocationTarget.of(access)) {
            Long before = issuedBefore.get(target);
            if (before != null && issued.getAsLong() < before) {
                return true;
            }
        }
        return false;
    }

    private void forget(long nowMillis) {
        long kept = Tokens.LONGEST.toMillis() + Tokens.CLOCK_TOLERANCE.toMillis();
        for (Iterator<Long> befores = issuedBefore.values().iterator(); befores.hasNext(); ) {
            if (nowMillis - befores.next() <= kept) {
                return;
            }
            befores.remove();
        }
    }
}
