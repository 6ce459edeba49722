/**
 * Runs the state machines of the core, with threads, timers, clocks and a logger.
 *
 * <p>The package makes no decisions. {@link dev.doyen.driver.LeaseLoop} and
 * {@code dev.doyen.group.driver.MembershipLoop} pass inputs to the machines and carry out the effects of the machines.
 * {@link dev.doyen.election.Threads} provides the threads of the loops. Start reading at {@code LeaseLoop}.
 *
 * <p>Rule L8: a loop never waits for the store or for a callback, so it notices a deadline on time even if a store
 * call or a callback hangs. Store calls and callbacks have their own threads. No exception ends a loop.
 */
@NullMarked
package dev.doyen.driver;

import org.jspecify.annotations.NullMarked;
