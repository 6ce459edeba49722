package dev.doyen.chaos.random;

import java.time.Duration;

/**
 * A fault that was injected.
 *
 * @param number its number in the run, from 1
 * @param begin the stamp before it began
 * @param from the stamp from which the recovery counts: the begin, or the return of the store's server
 * @param limit how long a recovery may take
 */
record Fault(int number, FaultKind kind, long begin, long from, Duration limit) {}
