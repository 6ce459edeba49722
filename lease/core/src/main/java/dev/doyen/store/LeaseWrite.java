package dev.doyen.store;

/** One write of several: {@code next}, if the store still holds {@code expected} for its election. */
public record LeaseWrite(LeaseVersion expected, LeaseRecord next) {}
