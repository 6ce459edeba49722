/**
 * What an operator's commands decide: how an election stands by what was seen of its record, what has changed, and
 * whether what was asked for has come about. Nothing here reads a clock, waits, or calls a store.
 *
 * <p>It looks on only: whoever stands in an election decides by {@code dev.doyen.lease}. Entry types:
 * {@code Sighting}, {@code ElectionWatch}, {@code Wish}, {@code TermTable}.
 */
@NullMarked
package dev.doyen.server.operator;

import org.jspecify.annotations.NullMarked;
