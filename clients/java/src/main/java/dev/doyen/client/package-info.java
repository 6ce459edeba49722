/**
 * Provides the leader of an election to apps that run beside an elector.
 *
 * <p>The elector is the sidecar, {@code doyen ring}, a hub or the NAIS elector. This package does not elect a leader,
 * and depends only on the JDK.
 *
 * <p>The client trusts the answers of the elector. It limits the age of an answer, but cannot prove that an answer is
 * still true. Only a resource that checks the term is safe from a leader whose process was suspended.
 *
 * <p>Start reading at {@link dev.doyen.client.Leader}.
 */
@NullMarked
package dev.doyen.client;

import org.jspecify.annotations.NullMarked;
