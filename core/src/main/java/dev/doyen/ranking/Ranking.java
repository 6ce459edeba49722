package dev.doyen.ranking;

import java.util.Collection;
import java.util.Comparator;

/**
 * The order in which eligible members stand when nobody leads (rule K5). The first claims first.
 *
 * <p>All members of a channel must use the same ranking. If they do not, no rule about leading breaks, for leading hangs
 * on the winner (K4) and the echo (K8) and not on rank; but two members may each think themselves first: where the hub
 * grants claims that costs a refusal, elsewhere two may lead for as long as messages are under way.
 *
 * <p>A ranking need not be an order among all members: a position is counted, never sorted, so that a comparison which
 * contradicts itself costs patience and nothing else.
 */
public final class Ranking {

    private final Comparator<Member> order;

    private Ranking(Comparator<Member> order) {
        this.order = order;
    }

    /**
     * Higher priority, then lesser order, then lesser key: the default, and that of every other implementation. Whoever
     * writes anew moves back among its equals, so a leader that failed or resigned is not first again at once.
     */
    public static Ranking oldest() {
        return by(Comparator.comparingLong(Member::priority).reversed().thenComparingLong(Member::order));
    }

    /**
     * Higher priority, then lesser client id by its UTF-8 bytes, then lesser key. A leader that failed is first again as
     * soon as it is back, but a leader that works is not disturbed by it (K15).
     */
    public static Ranking lowestId() {
        return by(Comparator.comparingLong(Member::priority)
                .reversed()
                .thenComparing(Member::clientId, Ranking::compareKeys));
    }

    /**
     * An order of one's own, by key and data; members that are equal in it stand in the order of their keys.
     *
     * @param order negative if the first argument is to claim first. It depends on its arguments alone and throws nothing.
     */
    public static Ranking by(Comparator<Member> order) {
        return new Ranking(order.thenComparing(Member::key, Ranking::compareKeys));
    }

    /** How many eligible members stand before this one: 0 is the first to claim. */
    public int position(Collection<Member> members, Member me) {
        int before = 0;
        for (Member member : members) {
            if (member.eligible() && !member.key().equals(me.key()) && order.compare(member, me) < 0) {
                before++;
            }
        }
        return before;
    }

    /** By the bytes of their UTF-8, which is the order of their code points and not that of Java's characters. */
    static int compareKeys(String one, String other) {
        for (int i = 0; i < Math.min(one.length(), other.length()); ) {
            int here = one.codePointAt(i);
            int there = other.codePointAt(i);
            if (here != there) {
                return Integer.compare(here, there);
            }
            i += Character.charCount(here);
        }
        return Integer.compare(one.length(), other.length());
    }
}
