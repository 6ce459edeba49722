package dev.doyen.client.state;

/**
 * The context of one input to the machine.
 *
 * @param nanos the time of the input, in nanoseconds of a monotonic clock
 * @param random a random number from 0 to 1, for jitter
 */
public record StepContext(long nanos, double random) {}
