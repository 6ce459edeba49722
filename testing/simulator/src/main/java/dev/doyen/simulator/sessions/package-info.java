/**
 * Simulates whole processes to test sessions (rule L12).
 *
 * <p>The API, the driver, the sessions and the machine are the shipped classes. The threads of these classes run on
 * the simulator's time. Start reading at {@link dev.doyen.simulator.sessions.SessionSimulation}.
 */
@NullMarked
package dev.doyen.simulator.sessions;

import org.jspecify.annotations.NullMarked;
