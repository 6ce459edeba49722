/**
 * Runs the process of {@code doyen ring}. The process is a candidate over a membership, with an elector API over HTTP.
 *
 * <p>The package makes no decisions about the leader. Start with {@link dev.doyen.group.process.MemberProcess}.
 */
@NullMarked
package dev.doyen.group.process;

import org.jspecify.annotations.NullMarked;
