/**
 * {@code doyen ring} and {@code doyen ranking}: a process that stands in an election over a membership, and tells over HTTP who
 * leads. It carries out. What the two do not share is a {@link dev.doyen.server.member.Manner}.
 */
@NullMarked
package dev.doyen.server.member;

import org.jspecify.annotations.NullMarked;
