package dev.doyen.drills.chaos;

import java.time.Duration;

/**
 * A fault that happened.
 *
 * @param number of the fault in its run, from 1
 * @param begin stamp before it began
 * @param from stamp from which the recovery counts: the begin, or the return of the store's server
 * @param limit how long a recovery may take
 */
record Fault(int number, FaultKind kind, long begin, long from, Duration limit) {}
