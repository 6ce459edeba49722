package dev.doyen.event;

/** Why a leadership ended. */
public enum LossCause {
    /** The leader stepped down, or its task ended. */
    RESIGNED,
    /** The leader handed over to a named candidate. */
    TRANSFERRED,
    /** The election was paused, or this candidate was. */
    PAUSED,
    /** The leader's own health check said no. */
    UNHEALTHY,
    /** The candidate was closed, or withdrew. */
    CLOSED,
    /** No renewal was confirmed before the deadline (rule L1): the store was away, or this process stood still. */
    EXPIRED,
    /** The wall clock ran ahead of the monotonic one: the machine was suspended (rule L4). */
    SUSPENDED,
    /** The store names another holder, or the record is gone (rule L7). */
    SUPERSEDED
}
