package dev.doyen.lease;

import dev.doyen.text.ElectionNames;

/**
 * The identity of a candidate. A process that starts again under its id is another holder (rule L10).
 *
 * @param id the name that people use
 * @param incarnation unique for each start, such as a random UUID
 */
public record Identity(String id, String incarnation) {
    public Identity {
        ElectionNames.check("candidate id", id);
        ElectionNames.check("incarnation", incarnation);
    }
}
