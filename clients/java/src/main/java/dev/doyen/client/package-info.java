/**
 * The leader of an election, for apps beside an elector.
 *
 * <p>The elector is the sidecar, {@code doyen ring}, a hub, or NAIS' elector. This package elects nobody, and depends
 * only on the JDK.
 *
 * <p>Assumptions: an answer is only as good as its elector. This client limits the age of an answer, but proves
 * nothing. Only a resource that checks the term is safe from a leader that was paused.
 *
 * <p>Start reading at {@link dev.doyen.client.Leader}.
 */
@NullMarked
package dev.doyen.client;

import org.jspecify.annotations.NullMarked;
