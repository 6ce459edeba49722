package dev.doyen.lease;

import dev.doyen.text.ElectionNames;

/**
 * The identity of a candidate. A process that starts again under the same id is a different holder (rule L10).
 *
 * @param id the name for people
 * @param incarnation a value that no other candidate has, even under the same id, for example a random UUID
 */
public record Identity(String id, String incarnation) {
    public Identity {
        ElectionNames.check("candidate id", id);
        ElectionNames.check("incarnation", incarnation);
    }
}
