package dev.doyen.store;

/**
 * A conditional write of one record. The store writes {@code next} if the stored record of the same election still has
 * the version {@code expected}.
 */
public record LeaseWrite(LeaseVersion expected, LeaseRecord next) {}
