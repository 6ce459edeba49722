package dev.doyen.membership;

import dev.doyen.text.ElectionNames;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A member of a membership. If a process starts again under the same id, it is another member.
 *
 * <p>Members are ordered by id, then by incarnation. Each is compared as the unsigned bytes of its UTF-8, so the order
 * is the same in every language.
 *
 * @param id the name that people know; 1 to 255 characters, no control characters
 * @param incarnation unique for each start, such as a random UUID; 1 to 255 characters, no control characters
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
