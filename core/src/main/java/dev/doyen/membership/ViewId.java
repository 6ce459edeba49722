package dev.doyen.membership;

import dev.doyen.store.ElectionNames;

/**
 * Names a view. Numbers alone repeat on both sides of a partition.
 *
 * @param number greater than that of every view its creator had seen
 * @param creator who made the view, as the membership names it
 */
public record ViewId(long number, String creator) {
    public ViewId {
        ElectionNames.check("view creator", creator);
    }
}
