/**
 * The parts that the candidates of lease elections and ring elections share.
 *
 * <p>{@link dev.doyen.candidate.TermWork} runs the task of a candidate in each term.
 * {@link dev.doyen.candidate.ListenerRegistry} calls the listeners. {@link dev.doyen.candidate.EligibilityTracker}
 * combines health, pauses and the task. Internal: only Doyen uses this package.
 */
@NullMarked
package dev.doyen.candidate;

import org.jspecify.annotations.NullMarked;
