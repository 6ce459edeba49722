package dev.doyen.membership;

import dev.doyen.text.ElectionNames;

/**
 * Identifies a view. The number alone can repeat on the two sides of a partition.
 *
 * @param number a number that is greater than the number of every view that the creator had received
 * @param creator the creator of the view, as the membership names it
 */
public record ViewId(long number, String creator) {
    public ViewId {
        ElectionNames.check("view creator", creator);
    }
}
