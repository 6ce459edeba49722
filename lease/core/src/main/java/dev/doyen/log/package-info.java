/**
 * Logs each kind of fault once, and limits the rate of other lines.
 *
 * <p>Stores and servers use {@link dev.doyen.log.FaultLog} for faults that can repeat many times.
 * They use {@link dev.doyen.log.LineLimiter} for other lines that can be very many, such as lines about elections, or
 * lines that unknown clients cause.
 */
@NullMarked
package dev.doyen.log;

import org.jspecify.annotations.NullMarked;
