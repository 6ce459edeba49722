package dev.doyen.fence;

/** Thrown for a new resource if a fence remembers its maximum already. Known resources stay guarded. */
public final class FenceFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FenceFullException(String resource, int most) {
        super("the fence remembers " + most + " resources, as many as it may, and \"" + resource
                + "\" is not among them; raise the bound, or name fewer resources");
    }
}
