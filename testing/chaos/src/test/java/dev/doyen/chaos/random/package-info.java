/**
 * Chaos tests with faults drawn from a seed.
 *
 * <p>Several JVMs are candidates in a few elections while faults hit them and their store. {@link ChaosJudge} decides
 * from the ledgers of the JVMs whether the rules held. Start reading at {@link ChaosRun}.
 */
@NullMarked
package dev.doyen.chaos.random;

import org.jspecify.annotations.NullMarked;
