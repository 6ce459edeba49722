/**
 * Logs each kind of fault once, and limits the rate of other lines.
 *
 * <p>Stores and servers use {@link dev.doyen.log.FaultLog} for faults that can repeat many times. A log uses
 * {@link dev.doyen.log.LineLimiter} if unknown clients can cause its lines.
 */
@NullMarked
package dev.doyen.log;

import org.jspecify.annotations.NullMarked;
