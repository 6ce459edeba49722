/**
 * Chaos tests with faults drawn from a seed.
 *
 * <p>Several JVMs are candidates in a few elections, while faults hit the JVMs and their store. {@link ChaosJudge}
 * checks the ledgers of the JVMs for violations of the rules. Start reading at {@link ChaosRun}.
 */
@NullMarked
package dev.doyen.chaos.random;

import org.jspecify.annotations.NullMarked;
