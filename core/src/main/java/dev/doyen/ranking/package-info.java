/**
 * Ranking as a machine: {@link dev.doyen.ranking.RankingMachine} takes a state and an input and returns the next state and
 * the effects. Every member of a channel sees the same presence set, and from it works out the same leader. Rules K1-K16
 * and K19 of docs/spec/ranking.md are decided here and nowhere else in Java; the TypeScript machine keeps the same rules,
 * and the vectors in docs/spec/vectors/ranking hold both to them.
 *
 * <p>Assumption on clocks: a leader counts 0.8 ttl from the <em>sending</em> of its last answered ping, who may give its
 * claim away a whole ttl from the receipt of its last frame. So clock <em>rates</em> may differ by less than 10 %.
 *
 * <p>No clock, thread, randomness, I/O or logger in here.
 */
@NullMarked
package dev.doyen.ranking;

import org.jspecify.annotations.NullMarked;
