/**
 * Evaluates what operators' commands have read from a store.
 *
 * <p>The package derives the state of an election, its changes, and the effect of a command. It observes only;
 * candidates follow {@code dev.doyen.lease}. It reads no clock, does not wait, and does not call a store. Start with
 * {@code ObservedElection}, then {@code ElectionWatch}, {@code AdminEffect} and {@code TermTable}.
 */
@NullMarked
package dev.doyen.cli.operator;

import org.jspecify.annotations.NullMarked;
