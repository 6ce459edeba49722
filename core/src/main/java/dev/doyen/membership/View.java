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
 * Who is there, as a membership says: the same id means the same members everywhere. The order the members are given in
 * means nothing, for after a merge it does not say who is older. Their order here is that of their hashes (rule R1 of
 * docs/spec/ring.md): the same everywhere, and ids which were given out in order do not make the worst ring the natural one.
 * Immutable.
 */
public final class View {

    /** More members than this are refused: a ring is as slow as it is long. */
    public static final int MAX_MEMBERS = 10_000;

    private final ViewId id;
    private final List<Member> members;
    private final Map<Member, Integer> places;

    /**
     * @throws IllegalArgumentException if there is no member, one is there twice, or there are more than
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

    /** The members, each before its successor on the ring, the last before the first. */
    public List<Member> members() {
        return members;
    }

    public boolean has(Member member) {
        return places.containsKey(member);
    }

    /** The successor of a member on the ring; itself if it is alone. */
    public Member after(Member member) {
        return atDistance(member, 1);
    }

    /** Whose successor it is. */
    public Member before(Member member) {
        return atDistance(member, members.size() - 1);
    }

    /**
     * Where on the ring a member sits: the first 8 bytes, big-endian, of SHA-256 over id, a zero byte, incarnation, both as
     * UTF-8. Compared unsigned. Neither text can hold a zero byte, so no two members hash the same text.
     */
    public static long position(Member member) {
        return hash(member.id() + '\0' + member.incarnation());
    }

    /** The first 8 bytes, big-endian, of SHA-256 over this text as UTF-8. */
    public static long hash(String text) {
        return ByteBuffer.wrap(sha256(text)).getLong();
    }

    /** SHA-256 over this text as UTF-8. */
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
