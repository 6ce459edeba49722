package dev.doyen.lease;

import dev.doyen.text.ElectionNames;

/**
 * The identity of a candidate. A process that starts again under the same id is a different holder (rule L10).
 *
 * @param id the name for people
 * @param incarnation a value that is unique for each start of the process, such as a random UUID
 */
public record Identity(String id, String incarnation) {
    public Identity {
        ElectionNames.check("candidate id", id);
        ElectionNames.check("incarnation", incarnation);
    }
}
