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
 * The members that a membership reports. Immutable.
 *
 * <p>Two views with the same id have the same members everywhere. The order in which the members are passed has no
 * meaning, because after a merge it does not show which one is older. A view orders them by their hashes (rule R1 of
 * docs/spec/ring.md). This order is the same everywhere. With it, ids that were assigned in order do not form the worst
 * ring.
 */
public final class View {

    /** Maximum number of members. The duration of a round rises with the length of the ring. */
    public static final int MAX_MEMBERS = 10_000;

    private final ViewId id;
    private final List<Member> members;
    private final Map<Member, Integer> places;

    /**
     * @throws IllegalArgumentException if there is no member, a member is contained twice, or there are more than
     *     {@value #MAX_MEMBERS}
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

    /** Returns the members in ring order. The first follows the last. */
    public List<Member> members() {
        return members;
    }

    public boolean has(Member member) {
        return places.containsKey(member);
    }

    /** Returns the member after this one on the ring; itself if it is alone. */
    public Member after(Member member) {
        return atDistance(member, 1);
    }

    /** Returns the member before this one on the ring; itself if it is alone. */
    public Member before(Member member) {
        return atDistance(member, members.size() - 1);
    }

    /**
     * Returns the ring position of a member; to be compared unsigned.
     *
     * <p>It is the first 8 bytes, big-endian, of SHA-256 over id, a zero byte and incarnation, in UTF-8. Neither text
     * can contain a zero byte, so no two members hash the same text.
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
            throw new IllegalStateException("this Java has no SHA-256, which every Java must have", e);
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
