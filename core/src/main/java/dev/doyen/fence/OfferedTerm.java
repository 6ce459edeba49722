package dev.doyen.fence;

import dev.doyen.store.ElectionNames;

/**
 * A term that comes with a request: in the name of whom it wants to write.
 *
 * @param resource what it wants to write to; 1 to 255 characters, no control characters
 * @param term the fencing token, 1 or more
 */
public record OfferedTerm(String resource, long term) {
    public OfferedTerm {
        ElectionNames.check("resource", resource);
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
    }

    /** Asks the fence, which throws {@link StaleTermException} if a higher term was there before. */
    public void admitBy(Fence fence) {
        fence.admit(resource, term);
    }
}
