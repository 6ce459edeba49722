/**
 * The doing side of the core: the only threads, timers, clocks and logger. A {@link dev.doyen.driver.LeaseLoop} feeds
 * one lease machine and carries out what it decides; {@link dev.doyen.driver.Threads} is where its work runs.
 *
 * <p>Rule L8: the loop never waits for the store or for a callback, so a deadline is noticed on time whatever hangs;
 * store calls and callbacks have threads of their own; no exception ends the loop.
 */
@NullMarked
package dev.doyen.driver;

import org.jspecify.annotations.NullMarked;
