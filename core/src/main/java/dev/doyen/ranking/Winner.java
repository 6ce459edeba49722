package dev.doyen.ranking;

import java.util.Collection;
import java.util.Optional;

/** Who leads in a presence set (rule K4). It follows from the set alone, so whoever sees the same set names the same. */
public final class Winner {

    private Winner() {}

    /**
     * Among those that claim: if the hub stamped any claim, only stamped ones count; then the highest term; then the
     * first in hub order; then the least key.
     */
    public static Optional<Member> among(Collection<Member> members) {
        Member best = null;
        for (Member member : members) {
            if (member.claims() && (best == null || beats(member, best))) {
                best = member;
            }
        }
        return Optional.ofNullable(best);
    }

    private static boolean beats(Member one, Member other) {
        if (one.stamped().isPresent() != other.stamped().isPresent()) {
            return one.stamped().isPresent();
        }
        if (one.termOfClaim() != other.termOfClaim()) {
            return one.termOfClaim() > other.termOfClaim();
        }
        int order = Long.compare(one.order(), other.order());
        return (order != 0 ? order : Ranking.compareKeys(one.key(), other.key())) < 0;
    }
}
