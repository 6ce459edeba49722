package dev.doyen.fence;

/**
 * Thrown for a new resource if the fence already stores its maximum number of resources. The fence continues to guard
 * the stored resources.
 */
public final class FenceFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FenceFullException(String resource, int most) {
        super("the fence remembers " + most + " resources, which is its limit, and \"" + resource
                + "\" is not among them; raise the limit, or name fewer resources");
    }
}
