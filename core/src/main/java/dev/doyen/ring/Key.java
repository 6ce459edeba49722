package dev.doyen.ring;

import dev.doyen.membership.Member;
import java.util.Comparator;

/**
 * What a member is worth in one round; the greatest wins. Frozen when the round begins, and carried by the messages: no
 * two members need agree on anybody's priority or age beforehand.
 *
 * @param stands whether it would lead; a member that would not wins only if nobody would, and then nobody leads
 * @param incumbent the term it leads in, or {@link Term#NONE}: a leader stays (sticky), and of two the later term wins
 * @param priority then the higher priority, 0 to 100
 * @param order then the order that the member was given; keys of different orders are never compared (rule R11)
 * @param joined the number of the first view it installed, for {@link RingOrder#OLDEST}. It does not prove age.
 */
public record Key(boolean stands, Term incumbent, int priority, RingOrder order, long joined, Member member)
        implements Comparable<Key> {

    private static final Comparator<Key> ORDER = Comparator.comparing(Key::stands)
            .thenComparing(Key::incumbent)
            .thenComparingInt(Key::priority)
            .thenComparing((one, other) -> one.order().compare(one, other));

    @Override
    public int compareTo(Key other) {
        return ORDER.compare(this, other);
    }

    boolean beats(Key other) {
        return compareTo(other) > 0;
    }
}
