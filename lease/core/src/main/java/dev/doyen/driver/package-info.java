/**
 * Runs the state machines of the core. Contains its only threads, timers, clocks and logger.
 *
 * <p>It decides nothing: {@link dev.doyen.driver.LeaseLoop} and {@link dev.doyen.group.driver.MembershipLoop} pass inputs to
 * the machines and carry out their effects, on {@link dev.doyen.election.Threads}. Start reading at {@code LeaseLoop}.
 *
 * <p>Rule L8: a loop never waits for the store or for a callback, so it notices a deadline on time whatever hangs.
 * Store calls and callbacks have their own threads. No exception ends a loop.
 */
@NullMarked
package dev.doyen.driver;

import org.jspecify.annotations.NullMarked;
