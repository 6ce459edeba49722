/**
 * Evaluates measurements for {@code doyen doctor}: a store, this machine's clocks, and one election.
 *
 * <p>The package reads no clock and calls no store. Start with {@code Check}, then {@code StoreChecks},
 * {@code ClockChecks} and {@code ElectionChecks}.
 */
@NullMarked
package dev.doyen.cli.doctor;

import org.jspecify.annotations.NullMarked;
