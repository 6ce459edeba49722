package dev.doyen.lease;

import dev.doyen.store.ElectionNames;

/**
 * A candidate's identity (rule L10): the same id started again is another holder.
 *
 * @param id the name people know it by
 * @param incarnation unique per start, such as a random UUID
 */
public record Identity(String id, String incarnation) {
    public Identity {
        ElectionNames.check("candidate id", id);
        ElectionNames.check("incarnation", incarnation);
    }
}
