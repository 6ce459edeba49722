package dev.doyen.ring;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who is there, as the membership says: the same id means the same members everywhere. The order the members are given in
 * means nothing; their order on the ring is that of their hashes (rule R1), so that ids which were given out in order do
 * not make the worst ring the natural one.
 */
public final class View {

    /** More members than this are refused: a ring is as slow as it is long. */
    public static final int MAX_MEMBERS = 10_000;

    private final ViewId id;
    private final List<RingMember> ring;
    private final Map<RingMember, Integer> places;

    public View(ViewId id, List<RingMember> members) {
        if (members.isEmpty() || members.size() > MAX_MEMBERS) {
            throw new IllegalArgumentException(
                    "view " + id + " has " + members.size() + " members; it needs 1 to " + MAX_MEMBERS);
        }
        this.id = id;
        this.ring = inRingOrder(members);
        this.places = new HashMap<>();
        for (RingMember member : ring) {
            if (places.put(member, places.size()) != null) {
                throw new IllegalArgumentException("view " + id + " has the member " + member + " twice");
            }
        }
    }

    public ViewId id() {
        return id;
    }

    /** The members, each before its successor, the last before the first. */
    public List<RingMember> ring() {
        return ring;
    }

    public boolean has(RingMember member) {
        return places.containsKey(member);
    }

    RingMember after(RingMember member) {
        return atDistance(member, 1);
    }

    RingMember before(RingMember member) {
        return atDistance(member, ring.size() - 1);
    }

    private RingMember atDistance(RingMember member, int distance) {
        Integer place = places.get(member);
        if (place == null) {
            throw new IllegalArgumentException(member + " is not in view " + id);
        }
        return ring.get((place + distance) % ring.size());
    }

    private static List<RingMember> inRingOrder(List<RingMember> members) {
        record Placed(long position, RingMember member) {}
        var placed = new ArrayList<Placed>(members.size());
        for (RingMember member : members) {
            placed.add(new Placed(member.position(), member));
        }
        placed.sort(Comparator.<Placed>comparingLong(p -> p.position() ^ Long.MIN_VALUE)
                .thenComparing(Placed::member));
        return placed.stream().map(Placed::member).toList();
    }

    @Override
    public String toString() {
        return id + " " + ring;
    }
}
