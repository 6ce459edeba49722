package dev.doyen.ring;

import dev.doyen.store.ElectionNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A member of a ring. The same id started again is another member.
 *
 * <p>Members are ordered by id, then by incarnation, each as the unsigned bytes of its UTF-8: the same in any language.
 *
 * @param id the name people know it by
 * @param incarnation unique per start, such as a random UUID
 */
public record RingMember(String id, String incarnation) implements Comparable<RingMember> {
    public RingMember {
        ElectionNames.check("member id", id);
        ElectionNames.check("incarnation", incarnation);
    }

    @Override
    public int compareTo(RingMember other) {
        int byId = compareBytes(id, other.id);
        return byId != 0 ? byId : compareBytes(incarnation, other.incarnation);
    }

    @Override
    public String toString() {
        return id + "/" + incarnation;
    }

    /**
     * Where on the ring it sits (rule R1): the first 8 bytes, big-endian, of SHA-256 over id, a zero byte, incarnation,
     * both as UTF-8. Compared unsigned. Neither text can hold a zero byte, so no two members hash the same text.
     */
    long position() {
        byte[] text = (id + '\0' + incarnation).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(sha256().digest(text)).getLong();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java must have", e);
        }
    }

    private static int compareBytes(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
