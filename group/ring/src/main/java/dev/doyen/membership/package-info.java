/**
 * Reports the processes of a group, and carries messages between them.
 *
 * <p>Elections without a store need it.
 *
 * <p>The package decides nothing about elections. {@code doyen-cluster} implements it for real processes, and
 * {@code doyen-testkit} for tests. Start with {@link dev.doyen.membership.Membership}.
 */
@NullMarked
package dev.doyen.membership;

import org.jspecify.annotations.NullMarked;
