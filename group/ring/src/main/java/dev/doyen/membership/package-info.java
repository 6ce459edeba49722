/**
 * Reports the processes of a group, and sends messages between the processes.
 *
 * <p>Elections without a store need a membership.
 *
 * <p>The package decides nothing about elections. {@code doyen-cluster} implements a membership for real processes, and
 * {@code doyen-testkit} for tests. Start with {@link dev.doyen.membership.Membership}.
 */
@NullMarked
package dev.doyen.membership;

import org.jspecify.annotations.NullMarked;
