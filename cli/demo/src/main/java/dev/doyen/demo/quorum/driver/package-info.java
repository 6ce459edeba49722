/**
 * Runs the quorum demonstration: starts the members as processes, controls them, and serves the page.
 *
 * <p>The package may call the packages {@code http} and {@code console} for the page at {@code /quorum/}. Start with
 * {@link dev.doyen.demo.quorum.driver.QuorumDemo}, which runs in the parent process, and
 * {@link dev.doyen.demo.quorum.driver.MemberProgram}, which runs in each member's process.
 */
@NullMarked
package dev.doyen.demo.quorum.driver;

import org.jspecify.annotations.NullMarked;
