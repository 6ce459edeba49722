package dev.doyen.fence;

/** A fence remembers as many resources as it may, and this one is not among them. Those it remembers stay guarded. */
public final class FenceFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FenceFullException(String resource, int most) {
        super("the fence remembers " + most + " resources, as many as it may, and \"" + resource
                + "\" is not among them; raise the bound, or name fewer resources");
    }
}
