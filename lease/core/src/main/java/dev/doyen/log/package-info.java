/**
 * Logs each kind of fault once, and limits the rate of other lines.
 *
 * <p>Stores and servers use {@link dev.doyen.log.FaultLog} for faults that can repeat many times. The log of elections
 * uses {@link dev.doyen.log.LineLimiter} for other lines, if unknown clients can cause very many of them.
 */
@NullMarked
package dev.doyen.log;

import org.jspecify.annotations.NullMarked;
