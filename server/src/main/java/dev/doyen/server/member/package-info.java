/**
 * The process of {@code doyen ring}. It is a candidate of an election over a membership, and answers over HTTP with the leader.
 * It makes no decision about the leader. Start with {@link dev.doyen.server.member.MemberProcess}.
 */
@NullMarked
package dev.doyen.server.member;

import org.jspecify.annotations.NullMarked;
