package dev.doyen.membership;

import dev.doyen.store.ElectionNames;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A member of a membership. The same id started again is another member.
 *
 * <p>Members are ordered by id, then by incarnation, each as the unsigned bytes of its UTF-8: the same in any language.
 *
 * @param id the name people know it by; 1 to 255 characters, no control characters
 * @param incarnation unique per start, such as a random UUID; likewise
 */
public record Member(String id, String incarnation) implements Comparable<Member> {
    public Member {
        ElectionNames.check("member id", id);
        ElectionNames.check("incarnation", incarnation);
    }

    @Override
    public int compareTo(Member other) {
        int byId = compareBytes(id, other.id);
        return byId != 0 ? byId : compareBytes(incarnation, other.incarnation);
    }

    @Override
    public String toString() {
        return id + "/" + incarnation;
    }

    private static int compareBytes(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
