/**
 * Runs the process of {@code doyen ring}: a candidate over a membership, with an elector API over HTTP.
 *
 * <p>It decides nothing about the leader. Start with {@link dev.doyen.group.process.MemberProcess}.
 */
@NullMarked
package dev.doyen.group.process;

import org.jspecify.annotations.NullMarked;
