package dev.doyen.membership;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The members of a group at one time, as a membership reports them. A view is immutable.
 *
 * <p>Two views with the same id have the same members everywhere. The view ignores the order in which the constructor
 * receives the members, because after two groups merge, this order does not show which member is older. A view orders
 * the members by their hashes (rule R1 of docs/spec/ring.md). The hash order is the same everywhere. A ring ordered by
 * ids would need the maximum number of messages if the ids were assigned in ascending order. The hash order avoids that
 * case.
 */
public final class View {

    /** The maximum number of members. The duration of a round rises with the length of the ring. */
    public static final int MAX_MEMBERS = 10_000;

    private final ViewId id;
    private final List<Member> members;
    private final Map<Member, Integer> places;

    /**
     * @throws IllegalArgumentException if the list is empty, contains a member twice, or has more than
     *     {@value #MAX_MEMBERS} members
     */
    public View(ViewId id, Collection<Member> members) {
        if (members.isEmpty() || members.size() > MAX_MEMBERS) {
            throw new IllegalArgumentException(
                    "view " + id + " has " + members.size() + " members; it needs 1 to " + MAX_MEMBERS);
        }
        this.id = id;
        this.members = inRingOrder(members);
        this.places = new HashMap<>();
        for (Member member : this.members) {
            if (places.put(member, places.size()) != null) {
                throw new IllegalArgumentException("view " + id + " has the member " + member + " twice");
            }
        }
    }

    public ViewId id() {
        return id;
    }

    /** Returns the members in ring order. The first member follows the last member. */
    public List<Member> members() {
        return members;
    }

    public boolean has(Member member) {
        return places.containsKey(member);
    }

    /** Returns the next member on the ring. The result is the member itself if the view has no other member. */
    public Member after(Member member) {
        return atDistance(member, 1);
    }

    /** Returns the previous member on the ring. The result is the member itself if the view has no other member. */
    public Member before(Member member) {
        return atDistance(member, members.size() - 1);
    }

    /**
     * Returns the ring position of a member, as an unsigned number.
     *
     * <p>The position is the first 8 bytes, big-endian, of a SHA-256 hash. The hashed bytes are the id, a zero byte and
     * the incarnation, in UTF-8. Neither text can contain a zero byte. So two different members never hash the same
     * bytes.
     */
    public static long position(Member member) {
        return hash(member.id() + '\0' + member.incarnation());
    }

    /** Returns the first 8 bytes, big-endian, of SHA-256 over this text in UTF-8. */
    public static long hash(String text) {
        return ByteBuffer.wrap(sha256(text)).getLong();
    }

    /** Returns SHA-256 over this text in UTF-8. */
    public static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256, which the Java platform requires", e);
        }
    }

    private Member atDistance(Member member, int distance) {
        Integer place = places.get(member);
        if (place == null) {
            throw new IllegalArgumentException(member + " is not in view " + id);
        }
        return members.get((place + distance) % members.size());
    }

    private static List<Member> inRingOrder(Collection<Member> members) {
        record Placed(long position, Member member) {}
        var placed = new ArrayList<Placed>(members.size());
        for (Member member : members) {
            placed.add(new Placed(position(member), member));
        }
        placed.sort(Comparator.<Placed>comparingLong(p -> p.position() ^ Long.MIN_VALUE)
                .thenComparing(Placed::member));
        return placed.stream().map(Placed::member).toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof View that && id.equals(that.id) && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return id + " " + members;
    }
}
