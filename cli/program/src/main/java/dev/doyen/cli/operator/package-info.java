/**
 * Evaluates the records that operator commands have read from a store.
 *
 * <p>The package derives the state of an election, its changes, and the effect of a command. The package only
 * evaluates observations; the package {@code dev.doyen.lease} contains the rules of the candidates. This package
 * reads no clock, does not wait, and calls no store. Start with {@code ObservedElection}, then {@code ElectionWatch},
 * {@code AdminEffect} and {@code TermTable}.
 */
@NullMarked
package dev.doyen.cli.operator;

import org.jspecify.annotations.NullMarked;
