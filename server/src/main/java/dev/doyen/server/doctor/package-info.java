/**
 * What a doctor makes of what was measured: a store, this machine's clocks, and one election. Nothing here reads a
 * clock or calls a store.
 *
 * <p>Entry types: {@code Check}, {@code StoreChecks}, {@code ClockChecks}, {@code ElectionChecks}.
 */
@NullMarked
package dev.doyen.server.doctor;

import org.jspecify.annotations.NullMarked;
