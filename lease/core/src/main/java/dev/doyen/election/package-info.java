/**
 * The types that all kinds of election share.
 *
 * <p>{@link dev.doyen.election.Candidate}, {@link dev.doyen.election.Observer} and
 * {@link dev.doyen.election.Leadership} declare the operations of every kind of election.
 * {@code dev.doyen.LeaseCandidate} and {@code dev.doyen.group.RingCandidate} add the operations of one kind. This
 * package makes no decisions.
 */
@NullMarked
package dev.doyen.election;

import org.jspecify.annotations.NullMarked;
