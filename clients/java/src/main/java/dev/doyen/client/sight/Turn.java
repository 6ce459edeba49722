package dev.doyen.client.sight;

/**
 * What comes with each input.
 *
 * @param nanos when, by a clock that never goes back
 * @param random from 0 to 1, for how long to wait
 */
public record Turn(long nanos, double random) {}
