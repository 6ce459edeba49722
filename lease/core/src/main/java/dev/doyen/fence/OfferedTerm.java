package dev.doyen.fence;

import dev.doyen.text.ElectionNames;

/**
 * The term of a request that writes to a guarded resource.
 *
 * @param resource the resource that the request writes to; 1 to 255 characters, no control characters
 * @param term the fencing token, 1 or more
 */
public record OfferedTerm(String resource, long term) {
    public OfferedTerm {
        ElectionNames.check("resource", resource);
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
    }

    /**
     * Asks the fence to admit this term.
     *
     * @throws StaleTermException if a higher term was admitted before
     * @throws FenceFullException if the resource is new and the fence has no room for another one
     */
    public void admitBy(Fence fence) {
        fence.admit(resource, term);
    }
}
