/**
 * The types that all kinds of election share.
 *
 * <p>{@link dev.doyen.election.Candidate}, {@link dev.doyen.election.Observer} and
 * {@link dev.doyen.election.Leadership} contain what every kind of election can do. {@code dev.doyen.LeaseCandidate} and
 * {@code dev.doyen.group.RingCandidate} add what only one kind can do. This package decides nothing.
 */
@NullMarked
package dev.doyen.election;

import org.jspecify.annotations.NullMarked;
