package dev.doyen.client.state;

/**
 * The context of one input.
 *
 * @param nanos the time, by a monotonic clock
 * @param random from 0 to 1, for jitter
 */
public record StepContext(long nanos, double random) {}
