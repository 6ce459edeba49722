/**
 * Who is there, and a way to tell them something: the port between elections that need no store and whatever keeps a
 * group of processes together. {@link dev.doyen.membership.Membership} is implemented by {@code doyen-cluster} for real
 * processes and by {@code doyen-testkit} for tests.
 */
@NullMarked
package dev.doyen.membership;

import org.jspecify.annotations.NullMarked;
