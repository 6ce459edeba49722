/**
 * Runs the machine of a ring election.
 *
 * <p>{@link dev.doyen.group.driver.MembershipLoop} passes views, messages and time to the machine, and carries out its
 * effects. This package makes no decisions. The package uses the threads, the log and the queues of
 * {@code dev.doyen.driver}. Start with {@code MembershipLoop}.
 */
@NullMarked
package dev.doyen.group.driver;

import org.jspecify.annotations.NullMarked;
