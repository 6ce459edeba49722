package dev.doyen.membership;

import dev.doyen.text.ElectionNames;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A member of a membership. If a process starts again with the same id, the process becomes a different member.
 *
 * <p>Members are ordered by id, then by incarnation. Both texts are compared as unsigned UTF-8 bytes. So the order is
 * the same in every programming language.
 *
 * @param id the name of the process for users; 1 to 255 characters, no control characters
 * @param incarnation a text that is unique for each start, such as a random UUID; 1 to 255 characters, no control
 *     characters
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
