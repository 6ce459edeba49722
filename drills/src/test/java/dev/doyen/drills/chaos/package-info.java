/**
 * Chaos tests: three JVMs contest a few elections while faults hit them and their store. {@link
 * dev.doyen.drills.chaos.ChaosJudge} decides from the ledgers of the JVMs whether the rules held. Start reading at {@link
 * dev.doyen.drills.chaos.ChaosRun}.
 */
@NullMarked
package dev.doyen.drills.chaos;

import org.jspecify.annotations.NullMarked;
