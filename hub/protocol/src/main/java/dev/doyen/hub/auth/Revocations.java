package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Stores the revocations of tokens. A revocation applies to the tokens of a target that were issued before a given
 * time.
 *
 * <p>The class stores an entry at least until every token that the entry revokes has expired. If the maximum number of
 * entries is stored, this class rejects new entries and removes none.
 */
final class Revocations {

    private final int limit;
    /**
     * The revocation time of each target, with the latest change last. Tokens of a target that were issued before its
     * revocation time are revoked.
     */
    private final Map<RevocationTarget, Long> issuedBefore = new LinkedHashMap<>();

    Revocations(int limit) {
        this.limit = limit;
    }

    /**
     * Revokes the target's tokens that were issued before {@code beforeMillis}. This time must not be in the future.
     */
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

    /** Adds a revocation of an earlier run of the hub. Does nothing if the maximum number of entries is stored. */
    void restore(RevocationTarget target, long beforeMillis) {
        if (issuedBefore.size() < limit) {
            issuedBefore.merge(target, beforeMillis, Math::max);
        }
    }

    List<Revocation> list() {
        return issuedBefore.entrySet().stream()
                .map(entry ->
                        new Revocation(entry.getKey().keyName(), entry.getKey().toString(), entry.getValue()))
                .toList();
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
