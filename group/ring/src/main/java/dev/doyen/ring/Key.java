package dev.doyen.ring;

import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.Member;
import java.util.Comparator;

/**
 * The key of a member in one round. The greatest key wins (rule R4).
 *
 * <p>The key does not change during a round. The messages carry it, so members need not know the priority or age of
 * others beforehand.
 *
 * @param campaigns whether the member campaigns; a member that does not wins only if none campaigns, and then none leads
 * @param incumbent the term in which the member leads, or {@link Term#NONE}; a leader stays the leader, and of two
 *     leaders the later term wins
 * @param priority compared next, 0 to 100; the higher one wins
 * @param order decides last; keys of different orders are never compared (rule R11)
 * @param joined the number of the first view that the member installed, for {@link RingOrder#OLDEST}; it does not prove
 *     an earlier start
 */
public record Key(boolean campaigns, Term incumbent, int priority, RingOrder order, long joined, Member member)
        implements Comparable<Key> {

    private static final Comparator<Key> ORDER = Comparator.comparing(Key::campaigns)
            .thenComparing(Key::incumbent)
            .thenComparingInt(Key::priority)
            .thenComparing(Key::compareByOrder);

    @Override
    public int compareTo(Key other) {
        return ORDER.compare(this, other);
    }

    /** Compares two candidates of the same priority. Positive if {@code one} precedes {@code other}. */
    private static int compareByOrder(Key one, Key other) {
        Member first = one.member();
        Member second = other.member();
        return switch (one.order()) {
            case OLDEST ->
                one.joined() == other.joined() ? second.compareTo(first) : Long.compare(other.joined(), one.joined());
            case LOWEST_ID -> second.compareTo(first);
            case HIGHEST_ID -> first.compareTo(second);
        };
    }

    boolean isGreaterThan(Key other) {
        return compareTo(other) > 0;
    }
}
