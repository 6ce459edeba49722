package dev.doyen.ring;

import dev.doyen.group.settings.RingOrder;
import dev.doyen.membership.Member;
import java.util.Comparator;

/**
 * The key of a member in one round. The greatest key wins (rule R4).
 *
 * <p>The key does not change during a round. The messages contain the key. So a member does not need to store the
 * priority or the age of other members.
 *
 * @param campaigns true if the member campaigns. If no member campaigns, the winner does not lead
 * @param incumbent the term in which the member leads, or the term of a leader that has handed over to the member;
 *     otherwise {@link Term#NONE}. A leader wins over a member that does not lead. Of two leaders, the leader with the
 *     later term wins
 * @param priority the priority, 0 to 100, which is compared next. The higher priority wins
 * @param order the order that decides last. Keys of different orders are never compared (rule R11)
 * @param joined the number of the first view that the member installed, for {@link RingOrder#OLDEST}. A lower number
 *     does not prove that the member started earlier
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

    /** Compares two candidates of the same priority. The result is positive if {@code one} wins over {@code other}. */
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
