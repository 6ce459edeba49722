package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Which tokens are no longer good although they have not expired: all of one key that name a target and were issued
 * before a time. Remembered as long as any such token could last. Full, it refuses rather than forgets.
 */
final class Revocations {

    private final int limit;
    /** By target: tokens issued before then are revoked. In order of their last change. */
    private final Map<RevocationTarget, Long> issuedBefore = new LinkedHashMap<>();

    Revocations(int limit) {
        this.limit = limit;
    }

    /** Revokes the target's tokens that were issued before this time, which is not after now. */
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
