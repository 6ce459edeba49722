/**
 * Runs whole processes in a seeded world to test sessions (rule L12).
 *
 * <p>API, driver, sessions and machine are the shipped classes. Their threads use the simulator's time. Start reading
 * at {@link dev.doyen.simulator.sessions.SessionSimulation}.
 */
@NullMarked
package dev.doyen.simulator.sessions;

import org.jspecify.annotations.NullMarked;
