package dev.doyen.lease;

/** The purpose of a request to the store. A driver with few threads carries out a renewal before all other requests. */
public enum RequestKind {
    /** A read of the record. */
    READ,
    /** A write by which a candidate becomes the holder, in a new term. */
    ACQUIRE,
    /** A write by the present holder in the same term: a renewal, or a save. */
    RENEW,
    /** A write that removes the holder, or that ends an acquire of unknown outcome. */
    RELEASE,
    /** A write that asks the holder to step down (rule M5). */
    STEP_DOWN_REQUEST,
    /** A write that ends a silent session (rule L12). */
    FENCE
}
