package dev.doyen.chaos.random;

import java.time.Duration;

/**
 * A fault that was injected.
 *
 * @param number the number of the fault in its run, from 1
 * @param begin the stamp immediately before the fault begins
 * @param from the stamp from which the recovery counts: {@code begin}, or if the fault stops the store, the stamp at
 *     which all processes are candidates again after the fault
 * @param limit the longest permitted recovery
 */
record Fault(int number, FaultKind kind, long begin, long from, Duration limit) {}
