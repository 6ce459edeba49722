package dev.doyen.membership;

import dev.doyen.text.ElectionNames;

/**
 * Identifies a view. The number alone may repeat on the two sides of a partition.
 *
 * @param number greater than the number of every view that its creator had seen
 * @param creator the creator of the view, as the membership names it
 */
public record ViewId(long number, String creator) {
    public ViewId {
        ElectionNames.check("view creator", creator);
    }
}
