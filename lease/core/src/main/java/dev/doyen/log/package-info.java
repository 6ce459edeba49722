/**
 * Logs each kind of fault once.
 *
 * <p>Stores and servers use {@link dev.doyen.log.FaultLog} for faults that can repeat a thousand times.
 */
@NullMarked
package dev.doyen.log;

import org.jspecify.annotations.NullMarked;
