/**
 * Whole processes in a seeded world: API, driver, sessions (rule L12) and machine are the shipped classes, on threads
 * whose time is the simulator's.
 */
@NullMarked
package dev.doyen.simulator.sessions;

import org.jspecify.annotations.NullMarked;
